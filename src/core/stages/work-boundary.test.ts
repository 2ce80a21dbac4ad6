import { expect, test } from "vitest";
import { boundariesIn, isWithin, nothingOutside, onlyIn } from "./work-boundary.ts";

test("our own sentences are read as the places that they name", () => {
  const spec = `Make slug better.

Outcome: \`npm test\` passes.
Scope: ${onlyIn("src/slug.js")}; ${onlyIn("lib/")}.
Boundaries: No new dependencies; ${nothingOutside("src/slug.js")}.`;
  expect(boundariesIn(spec)).toEqual([
    { words: "Only src/slug.js; Only files in lib/", places: ["src/slug.js", "lib/"], isMustNot: false },
    { words: "Must not change anything outside src/slug.js", places: ["src/slug.js"], isMustNot: true },
  ]);
});

test.each(["Only src/a.js may change", "Scope: Only admins.", "Scope: Only src/a.js and its tests.", ""])(
  "other words are left to people: %j",
  (spec) => {
    expect(boundariesIn(spec)).toEqual([]);
  },
);

test("a folder holds what is below it, and a file only itself", () => {
  const [scope] = boundariesIn("Scope: Only src/a.js; Only files in lib/.");
  if (scope === undefined) throw new Error("no scope");
  const within = ["src/a.js", "lib/b/c.js", "src/a.jsx", "library.js", "lib"].filter((path) =>
    isWithin(scope, path),
  );
  expect(within).toEqual(["src/a.js", "lib/b/c.js"]);
});
