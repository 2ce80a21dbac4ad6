import type { Script } from "node:vm";
import { constants, deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import type { CompiledCode } from "./compiled-code.ts";
import { createLoader } from "./start.ts";

const NOTHING_KEPT: CompiledCode = { find: () => undefined, keepAtEnd: () => undefined };

/** A program of parts as the build packs them, with what each imports at once. The first `plain` of them are not deflated. */
function loaderOf(
  parts: { readonly [name: string]: string },
  imports: { readonly [name: string]: readonly string[] } = {},
  { compiled = NOTHING_KEPT, plain = Object.keys(parts).length } = {},
): (name: string) => unknown {
  const names = Object.keys(parts);
  const texts = Object.values(parts).map((code, part) => {
    const text = `(function(module,exports,require){${code}\n}),`;
    if (part < plain) return text;
    return deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH }).toString("base64");
  });
  const table = {
    digest: "d1",
    names,
    lengths: texts.map((text) => text.length),
    plain,
    imports: names.map((name) => (imports[name] ?? []).map((each) => names.indexOf(each))),
  };
  return createLoader({
    text: `function PART_TEXTS(){/*${JSON.stringify(table)}\n${texts.join("")}*/}`,
    filename: "/x/program.js",
    require: (name) => `Node's ${name}`,
    compiled,
  });
}

const PARTS = {
  "./main.js": `exports.shared=require("./shared.js");exports.more=()=>require("./more.js")`,
  "./more.js": `exports.shared=require("./shared.js");exports.fs=require("node:fs")`,
  "./shared.js": `module.exports={times:(globalThis.timesLoaded=(globalThis.timesLoaded??0)+1)}`,
};
const IMPORTS = { "./main.js": ["./shared.js"], "./more.js": ["./shared.js"] };

interface Main {
  readonly shared: unknown;
  readonly more: () => { readonly shared: unknown; readonly fs: unknown };
}

test("a part is run once, whoever asks for it", () => {
  const main = loaderOf(PARTS, IMPORTS)("./main.js") as Main;
  expect(main.more().shared).toBe(main.shared);
  expect(main.more()).toBe(main.more());
});

test("what is no part is Node's", () => {
  expect((loaderOf(PARTS, IMPORTS)("./main.js") as Main).more().fs).toBe("Node's node:fs");
});

test("an entry is compiled when it is asked for, without what is there already", () => {
  const scripts: [string, Script][] = [];
  const compiled: CompiledCode = {
    find: () => undefined,
    keepAtEnd: ({ entry, digest }, script) => void scripts.push([`${entry} ${digest}`, script]),
  };
  const main = loaderOf(PARTS, IMPORTS, { compiled })("./main.js") as Main;
  expect(scripts).toHaveLength(1);
  main.more();
  // Its text depends on what was compiled before it: number 0.
  expect(scripts.map(([text]) => text)).toEqual(["./main.js d1", "./more.js d1.0"]);
  expect(scripts.map(([, script]) => (script.runInThisContext() as unknown[]).length)).toEqual([2, 1]);
});

test.each([0, 1, 2])("a program of which all but %i parts are deflated runs as before", (plain) => {
  const main = loaderOf(PARTS, IMPORTS, { plain })("./main.js") as Main;
  expect(main.more()).toEqual({ shared: main.shared, fs: "Node's node:fs" });
});

test("what would end a comment comes back as it was", () => {
  const load = loaderOf({ "./main.js": `exports.found=/a*\u0001/.test("aa")` });
  expect(load("./main.js")).toEqual({ found: true });
});

test("compiled code that V8 rejects is made anew, and what is accepted is not", () => {
  const kept: Script[] = [];
  const answers: (Buffer | undefined)[] = [undefined];
  const compiled: CompiledCode = {
    find: () => answers.at(-1),
    keepAtEnd: (_text, script) => void kept.push(script),
  };
  const load = (code: string): unknown => loaderOf({ "./main.js": code }, {}, { compiled })("./main.js");

  expect(load("exports.answer=42")).toEqual({ answer: 42 });
  expect(kept).toHaveLength(1);
  answers.push(kept[0]?.createCachedData());
  expect(load("exports.answer=42")).toEqual({ answer: 42 });
  expect(kept).toHaveLength(1);
  expect(load("exports.answer=4200")).toEqual({ answer: 4200 });
  expect(kept).toHaveLength(2);
});
