import * as vm from "node:vm";
import { brotliCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import type { CompiledCode, KeptCode } from "./compiled-code.ts";
import { createLoader } from "./start.ts";

const NOTHING_KEPT: CompiledCode = { find: () => undefined, keepAtEnd: () => undefined };

/** A program of parts as the build packs them, with what each imports at once: `plain` of them as they are, and then so many as one. */
function loaderOf(
  parts: { readonly [name: string]: string },
  imports: { readonly [name: string]: readonly string[] } = {},
  { compiled = NOTHING_KEPT, plain = Object.keys(parts).length, packs = [] as readonly number[] } = {},
): (name: string) => unknown {
  const names = Object.keys(parts);
  const texts = Object.values(parts).map((code) => `(function(module,exports,require){${code}\n}),`);
  let next = plain;
  const packed = packs.map((count) => {
    const pack = texts.slice(next, (next += count)).join("");
    return brotliCompressSync(pack).toString("base64");
  });
  const table = {
    digest: "d1",
    names,
    lengths: texts.map((text) => text.length),
    plain,
    packs: packs.map((count, index) => [count, packed[index]?.length]),
    imports: names.map((name) => (imports[name] ?? []).map((each) => names.indexOf(each))),
  };
  return createLoader({
    text: `function PART_TEXTS(){/*${JSON.stringify(table)}\n${[...texts.slice(0, plain), ...packed].join("")}*/}`,
    filename: "/x/program.js",
    require: (name) => (name === "node:vm" ? vm : `Node's ${name}`),
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
  const scripts: [string, vm.Script][] = [];
  const compiled: CompiledCode = {
    find: () => undefined,
    keepAtEnd: ({ entry, digest }, { script }) => void scripts.push([`${entry} ${digest}`, script]),
  };
  const main = loaderOf(PARTS, IMPORTS, { compiled })("./main.js") as Main;
  expect(scripts).toHaveLength(1);
  main.more();
  // Its text depends on what was compiled before it: number 0.
  expect(scripts.map(([text]) => text)).toEqual(["./main.js d1", "./more.js d1.0"]);
  expect(scripts.map(([, script]) => (script.runInThisContext() as unknown[]).length)).toEqual([2, 1]);
});

test.each([
  { plain: 0, packs: [3] },
  { plain: 0, packs: [1, 2] },
  { plain: 1, packs: [2] },
  { plain: 2, packs: [1] },
  { plain: 0, packs: [1, 1, 1] },
])("a program with $plain plain parts, and others packed as $packs, runs as before", (packing) => {
  const main = loaderOf(PARTS, IMPORTS, packing)("./main.js") as Main;
  expect(main.more()).toEqual({ shared: main.shared, fs: "Node's node:fs" });
});

test("what would end a comment comes back as it was", () => {
  const load = loaderOf({ "./main.js": `exports.found=/a*\u0001/.test("aa")` });
  expect(load("./main.js")).toEqual({ found: true });
});

test("compiled code that V8 rejects is made anew, and what is accepted is not", () => {
  const made: KeptCode[] = [];
  const answers: (KeptCode | undefined)[] = [undefined];
  const compiled: CompiledCode = {
    find: () => answers.at(-1),
    keepAtEnd: (_id, { script, text }) => void made.push({ code: script.createCachedData(), text }),
  };
  const load = (code: string): unknown => loaderOf({ "./main.js": code }, {}, { compiled })("./main.js");

  expect(load("exports.answer=42")).toEqual({ answer: 42 });
  expect(made).toHaveLength(1);
  answers.push(made[0]);
  expect(load("exports.answer=42")).toEqual({ answer: 42 });
  expect(made).toHaveLength(1);
  const { code, text } = made[0] as KeptCode;
  answers.push({ code, text: text.replace("42", "4200") });
  expect(load("exports.answer=42")).toEqual({ answer: 4200 });
  expect(made).toHaveLength(2);
});

test("what is kept is run without unpacking anything", () => {
  const kept: KeptCode[] = [];
  const first: CompiledCode = {
    find: () => undefined,
    keepAtEnd: (_id, { script, text }) => void kept.push({ code: script.createCachedData(), text }),
  };
  const parts = { "./main.js": "exports.answer=42" };
  loaderOf(parts, {}, { compiled: first, plain: 0, packs: [1] })("./main.js");

  const again: CompiledCode = { find: () => kept[0], keepAtEnd: () => undefined };
  const unpackable = { "./main.js": "this would not compile" };
  const load = loaderOf(unpackable, {}, { compiled: again, plain: 0, packs: [1] });
  expect(load("./main.js")).toEqual({ answer: 42 });
});
