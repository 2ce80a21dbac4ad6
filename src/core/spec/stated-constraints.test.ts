import { describe, expect, it } from "vitest";
import { isInPlace, statedConstraints } from "./stated-constraints.ts";

describe("constraints in words", () => {
  it.each([
    ["Fix it. Only src/auth.js and src/api.js.", ["src/auth.js", "src/api.js"]],
    [
      "Fix it. Only `src/auth.js`, lib/a.py and src/api.js may change.",
      ["src/auth.js", "lib/a.py", "src/api.js"],
    ],
    ["Change only src/cart.js.", ["src/cart.js"]],
    ["Fix it. Only change src/auth.js and src/api.js.", ["src/auth.js", "src/api.js"]],
    ["You may only edit src/auth.js and lib/", ["src/auth.js", "lib/"]],
    ["Change src/cart.js only.", ["src/cart.js"]],
    ["Fix total(), changing only src/cart.js", ["src/cart.js"]],
    ["Fix total(). Do not touch anything outside src/", ["src/"]],
    ["Fix total(). Don't change any files except src/cart.js", ["src/cart.js"]],
    ["Work only in the src/ folder", ["src/"]],
    ["Stay within packages/api/", ["packages/api/"]],
    ["Limit your changes to src/cart.js", ["src/cart.js"]],
    ["Nothing but src/cart.js may change", ["src/cart.js"]],
  ])("only: %s", (spec, places) => {
    expect(statedConstraints(spec).flatMap((each) => (each.kind === "only" ? [each.places] : []))).toEqual(
      places === undefined ? [] : [places],
    );
  });

  it.each([
    ["No new dependencies.", "dependencies"],
    ["No new deps, <500 LOC.", "dependencies"],
    ["Parse it, without adding any dependencies", "dependencies"],
    ["Do not add new npm packages", "dependencies"],
    ["Existing tests must not change.", "tests"],
    ["Fix it without changing the tests", "tests"],
    ["Zero new dependencies", "dependencies"],
    ["Leave the existing tests alone", "tests"],
    ["Keep the tests as they are", "tests"],
    ["The tests remain untouched", "tests"],
    ["Existing tests are left unchanged", "tests"],
    ["Tests mustn't be edited", "tests"],
    ["Don't modify any tests", "tests"],
  ])("are read from %j", (spec, kind) => {
    expect(statedConstraints(`Fix total(). ${spec}`).map((each) => each.kind)).toEqual([kind]);
  });

  it("are several in one sentence", () => {
    const found = statedConstraints("Fix total(). No new dependencies, and only src/cart.js may change.");
    expect(found.map(({ kind }) => kind)).toEqual(["dependencies", "only"]);
  });

  it.each([
    "Only admins may log in",
    "Only show src/logo.png on the start page",
    "Show only the 3.5 most recent items",
    "The button should only appear once",
    "Add the new dependencies to package.json",
    "Tests must not fail",
    "Scope: Only src/a.js",
    "Allow only files below 1.5 MB",
    "Do not change the public API",
  ])("none: %s", (spec) => {
    expect(statedConstraints(spec)).toEqual([]);
  });

  it("cover a folder, and no file whose name begins like it", () => {
    expect(isInPlace("src/", "src/a.js")).toBe(true);
    expect(isInPlace("src/a.js", "src/a.js")).toBe(true);
    expect(isInPlace("src", "src2/a.js")).toBe(false);
  });
});
