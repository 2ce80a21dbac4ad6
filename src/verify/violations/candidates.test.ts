import { describe, expect, it } from "vitest";
import { candidatesOf, originsOf } from "./candidates.ts";

const CART =
  "export const total = (items) => 1;\nexport const first = (items) => 2;\nexport const last = 3;\n";

function listing(files: { readonly [path: string]: string }): ReadonlyMap<string, string> {
  return new Map(Object.entries(files));
}

/** Where code is now, and where it was. */
function origins(
  then: { readonly [path: string]: string },
  now: { readonly [path: string]: string },
): { readonly [path: string]: string } {
  const texts = { before: (path: string) => then[path] ?? null, after: (path: string) => now[path] ?? null };
  return Object.fromEntries(originsOf(listing(then), listing(now), texts));
}

describe("where code has gone", () => {
  it.each([
    ["moved", { "src/cart.ts": CART }, { "vendor/x.ts": CART }, { "vendor/x.ts": "src/cart.ts" }],
    ["renamed and rewritten", { "cart.ts": CART }, { "cart.js": "var a" }, { "cart.js": "cart.ts" }],
    ["without its ending", { "a.sh": "echo" }, { a: "echo" }, { a: "a.sh" }],
    [
      "taken out of a file that stays",
      { "cart.ts": CART },
      { "cart.ts": 'export * from "./all.js";', "all.js": CART },
      { "all.js": "cart.ts" },
    ],
    ["new, with the name of one that stays", { "cart.ts": CART }, { "cart.ts": "1", "x/cart.ts": "2" }, {}],
    ["gone, with the name of a new one elsewhere", { "src/index.ts": CART }, { "docs/index.js": "1" }, {}],
    ["a short one, moved", { "a.sh": "echo moved" }, { "bin/b": "echo moved" }, { "bin/b": "a.sh" }],
    ["a few common lines", { "cart.ts": CART }, { "new.ts": "export const last = 3;\n" }, {}],
  ])("is followed where it is %s", (_, then, now, found) => {
    expect(origins(then, now)).toEqual(found);
  });
});

describe("the files that get a mistake", () => {
  it("are those of the judge's language, with what moved first and what didn't change last", () => {
    const then = listing({
      "src/a.ts": "1",
      "src/b.ts": "1",
      "src/gone.ts": "1",
      "c.py": "1",
      "read.md": "1",
    });
    const now = listing({
      "src/a.ts": "2",
      "src/b.ts": "1",
      "lib/gone.js": "2",
      "src/new.ts": "1",
      "c.py": "2",
      "node_modules/x/x.js": "1",
    });
    const found = candidatesOf(
      { language: "javascript" },
      then,
      now,
      new Map([["lib/gone.js", "src/gone.ts"]]),
    );
    expect(found.map(({ path, from, isChanged }) => [path, from, isChanged])).toEqual([
      ["lib/gone.js", "src/gone.ts", true],
      ["src/a.ts", "src/a.ts", true],
      // It may be ignored since, and still be there.
      ["src/gone.ts", "src/gone.ts", true],
      ["src/new.ts", null, true],
      ["src/b.ts", "src/b.ts", false],
    ]);
  });
});
