import type { Script } from "node:vm";
import { expect, test } from "vitest";
import type { CompiledCode } from "./compiled-code.ts";
import { createLoader } from "./start.ts";

const NOTHING_KEPT: CompiledCode = { find: () => undefined, keepAtEnd: () => undefined };

/** A program of parts as the build packs them: `closures` name those that are asked for, and what these import. */
function loaderOf(
  parts: { readonly [name: string]: string },
  closures: { readonly [entry: string]: readonly string[] },
  compiled: CompiledCode = NOTHING_KEPT,
): (name: string) => unknown {
  let text = "";
  const places = Object.fromEntries(
    Object.entries(parts).map(([name, code]) => {
      const start = text.length;
      text += code;
      return [name, [start, text.length] as const];
    }),
  );
  return createLoader({
    text,
    table: { places, closures },
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
const CLOSURES = {
  "./main.js": ["./main.js", "./shared.js"],
  "./more.js": ["./more.js", "./shared.js"],
};

interface Main {
  readonly shared: unknown;
  readonly more: () => { readonly shared: unknown; readonly fs: unknown };
}

test("a part is run once, whoever asks for it", () => {
  const main = loaderOf(PARTS, CLOSURES)("./main.js") as Main;
  expect(main.more().shared).toBe(main.shared);
  expect(main.more()).toBe(main.more());
});

test("what is no part is Node's", () => {
  expect((loaderOf(PARTS, CLOSURES)("./main.js") as Main).more().fs).toBe("Node's node:fs");
});

test("an entry is compiled when it is asked for, without what is there already", () => {
  const compiled: string[] = [];
  const main = loaderOf(PARTS, CLOSURES, {
    find: (entry, source) => void compiled.push(`${entry} ${source.split("(function(").length - 1}`),
    keepAtEnd: () => undefined,
  })("./main.js") as Main;
  expect(compiled).toEqual(["./main.js 2"]);
  main.more();
  expect(compiled).toEqual(["./main.js 2", "./more.js 1"]);
});

test("what would end a comment comes back as it was", () => {
  const load = loaderOf({ "./main.js": `exports.found=/a*\u0001/.test("aa")` }, {});
  expect(load("./main.js")).toEqual({ found: true });
});

test("compiled code that V8 rejects is made anew, and what is accepted is not", () => {
  const kept: Script[] = [];
  const answers: (Buffer | undefined)[] = [undefined];
  const compiled: CompiledCode = {
    find: () => answers.at(-1),
    keepAtEnd: (_name, _source, script) => void kept.push(script),
  };
  const load = (code: string): unknown => loaderOf({ "./main.js": code }, {}, compiled)("./main.js");

  expect(load("exports.answer=42")).toEqual({ answer: 42 });
  expect(kept).toHaveLength(1);
  answers.push(kept[0]?.createCachedData());
  expect(load("exports.answer=42")).toEqual({ answer: 42 });
  expect(kept).toHaveLength(1);
  expect(load("exports.answer=4200")).toEqual({ answer: 4200 });
  expect(kept).toHaveLength(2);
});
