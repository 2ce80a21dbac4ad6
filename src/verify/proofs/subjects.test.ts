import { describe, expect, it } from "vitest";
import { filesInMemory } from "../../../test/support/files-in-memory.ts";
import { sortChanges } from "./subjects.ts";

type Project = Readonly<Record<string, string>>;

const SPEC = "Fix total() in src/cart.js so that it sums the items";
const TEST = `import { same } from "../lib/same.js"; import { total } from "../src/cart.js"; same(total([1, 2]), 3);`;

const PROJECT: Project = {
  "src/cart.js": `import { price } from "./price.js"; export const total = (items) => items.length; // cart`,
  "src/price.js": "export const price = (item) => item;",
  "lib/same.js": "export const same = (a, b) => { if (a !== b) throw new Error(); };",
  "package.json": `{"main":"src/cart.js"}`,
  "test/cart.test.js": TEST,
};

async function sorted(work: Project, { spec = SPEC, before = PROJECT } = {}) {
  const after: Project = { ...before, ...work };
  const changed = Object.keys(after).filter(
    (path) => before[path] !== after[path] && !path.startsWith("test/"),
  );
  const tests = Object.keys(after).filter((path) => path.startsWith("test/"));
  const files = { before: filesInMemory(before), now: filesInMemory(after) };
  const found = await sortChanges(files, changed, { spec, tests });
  return found === null ? null : { own: found.own, foreign: found.foreign };
}

const RIGHT = "export const total = (items) => items.reduce((a, b) => a + b, 0);";

describe("the work is about", () => {
  it.each<readonly [string, Project, { readonly spec?: string; readonly before?: Project }]>([
    ["the file that the spec names", { "src/cart.js": RIGHT }, {}],
    ["what that file used at the opening", { "src/price.js": "export const price = () => 1;" }, {}],
    [
      "what is new and that file names now",
      { "src/cart.js": `export { total } from "./money.js";`, "src/money.js": RIGHT },
      {},
    ],
    [
      "what tests import, if the spec names nothing",
      { "lib/same.js": "1", "src/cart.js": RIGHT },
      { spec: "Fix it" },
    ],
    [
      "a new file that tests import, beside the one that it is like",
      { "src/slug.js": RIGHT, "test/words.test.js": `import "../src/slug.js"; import "../src/cart.js";` },
      { spec: "Write slugify, like total() in src/cart.js" },
    ],
    [
      "what has tests of its own, where the spec names a file as an example",
      { "src/slug.js": "export const slug = 2;" },
      {
        spec: "slug() should be like src/cart.js",
        before: { ...PROJECT, "src/slug.js": "1", "test/words.test.js": `import "../src/slug.js";` },
      },
    ],
    [
      "what a test is named after",
      { "slug.go": "package shop // done" },
      {
        spec: "Slug should be like cart.go",
        before: {
          "cart.go": "package shop",
          "slug.go": "package shop",
          "test/slug_test.go": "Slug()",
          "test/cart_test.go": "Cart()",
        },
      },
    ],
    [
      "what builds on the file that the spec names",
      { "src/report.js": `import { price } from "./price.js"; export const report = price;` },
      {
        spec: "Use price() of src/price.js in the report",
        before: { ...PROJECT, "src/report.js": "export const report = 1;" },
      },
    ],
    [
      "the code behind a header",
      { "cart.c": "int total() { return 3; }" },
      {
        spec: "Fix cart.h",
        before: { "cart.h": "int total();", "cart.c": "", "test/test_cart.c": `#include "cart.h"` },
      },
    ],
  ])("%s", async (_, work, options) => {
    expect(await sorted(work, options)).toMatchObject({ foreign: [] });
  });

  it.each<readonly [string, Project]>([
    [
      "a helper of the tests",
      { "src/cart.js": "// looked at\n", "lib/same.js": "export const same = () => {};" },
    ],
    [
      "a file whose name comes first",
      { "src/cart": "exports.total = () => 3;", "src/cart.js": "// looked at\n" },
    ],
    [
      "where a manifest leads to",
      { "package.json": `{"main":"build/fast.js"}`, "build/fast.js": "1", "src/cart.js": "// looked at\n" },
    ],
    ["a package beside the module", { "src/cart/index.js": RIGHT }],
    [
      "a file that nobody names",
      { "src/cart.js": "// looked at\n", "hooks/zero.cjs": "process.exit = () => {}" },
    ],
  ])("not %s", async (_, work) => {
    const foreign = Object.keys(work).filter((path) => path !== "src/cart.js");
    expect(await sorted(work)).toMatchObject({ foreign });
  });

  it("whatever took the place of a file that is gone", async () => {
    const { "src/cart.js": _, ...left } = PROJECT;
    const files = {
      before: filesInMemory(PROJECT),
      now: filesInMemory({ ...left, "src/cart/index.js": RIGHT }),
    };
    const tests = ["test/cart.test.js"];
    expect(await sortChanges(files, ["src/cart.js", "src/cart/index.js"], { spec: SPEC, tests })).toBeNull();
  });
});
