import { describe, expect, it } from "vitest";
import { askedChanges, asksForFewerTests, asksForTests, namesWork } from "./asked-changes.ts";

describe("what a spec asks to change about tests", () => {
  it.each([
    [
      "Change greet() to say Hi. Update the expectations in test/greet.test.js.",
      "files",
      ["test/greet.test.js"],
    ],
    [
      "The test of total in test/cart.test.js is wrong: 2 + 3 is 5. Correct it.",
      "files",
      ["test/cart.test.js"],
    ],
    ["Skip the flaky test in test/flaky.test.js.", "files", ["test/flaky.test.js"]],
    [
      'The test "several units" in test/duration.test.js is known to be broken until the new parser lands: skip it, with a comment.',
      "files",
      ["test/duration.test.js"],
    ],
    ["The tests in test/a.test.js wait for a real clock: please delete them.", "files", ["test/a.test.js"]],
    [
      'The example "sometimes" in spec/clock_spec.rb is flaky. Skip it, and fix wrap().',
      "files",
      ["spec/clock_spec.rb"],
    ],
    ["Fix the wrong expectation in tests/test_cart.py", "files", ["tests/test_cart.py"]],
    ["Regenerate the snapshots in src/__snapshots__/a.snap", "files", ["src/__snapshots__/a.snap"]],
    ["Rewrite test/cart.test.js", "files", ["test/cart.test.js"]],
    ["Rename `total` to `sum`, and update the tests accordingly", "about", ["total", "sum"]],
    ["Remove the count() function from src/cart.js, with its tests.", "about", ["src/cart.js", "count"]],
    ["Update src/greet.js and its tests", "about", ["src/greet.js"]],
    ["Update the expected output in checks/golden.txt", "files", ["checks/golden.txt"]],
    ["Print `a = b`. Change it, and the cases/*.out that it is compared with.", "compared", ["cases/*.out"]],
    ["Print `a=b`, and update the expected files in cases/.", "compared", ["cases/**"]],
    ["Hours have two places now; regenerate the golden files of `report`", "compared", []],
    ["Delete parseLegacy() from the parser", "about", ["parseLegacy"]],
    ["Migrate the tests from mocha to vitest", "all", []],
    ["Convert the test suite to pytest", "all", []],
    ["Migrate the tests from the script test/run.js to node:test, in test/cart.test.js", "all", []],
    ["Rename total to sumOf everywhere, including the tests", "about", ["sumOf"]],
    ["Increase the test timeout to 30 s in vitest.config.ts", "config", ["vitest.config.ts"]],
    ["The page is too big. Let build.sh strip comments from the styles.", "config", ["build.sh"]],
    ["Enable strict mode in tsconfig.json so that the build fails early", "config", ["tsconfig.json"]],
    ["Rounding goes up now, and its test is to be changed accordingly", "about", []],
    ["The specs of `slug` should be updated", "about", ["slug"]],
    ["show() has the currency behind it. Update the doctests.", "about", ["show"]],
    ["Turn less() into a method. Tests follow.", "about", ["less"]],
    ["Adapt the doc tests of `show`", "about", ["show"]],
    ["Remove count() with its tests, and let nobody in without a ticket", "about", ["count"]],
    ["Skip the flaky test in test/flaky.test.js, but do not delete it", "files", ["test/flaky.test.js"]],
    ['Change greet() so that it says "Hi" instead of "Hello"', "output", ["greet"]],
  ])("is read from %j", (spec, what, names) => {
    const found = askedChanges(spec).filter((each) => each.what === what);
    expect(found.length).toBeGreaterThan(0);
    expect([...(found[0]?.names ?? [])].toSorted()).toEqual(names.toSorted());
  });

  it.each([
    "Make the tests pass.",
    "Fix total(). Move the tests next to the source.",
    "Update the expressions in src/",
    "Move the tests into src/",
    "test/cart.test.js fails. Fix the bug in src/cart.js.",
    "Fix total() in src/cart.js so that test/cart.test.js passes.",
    "Change src/cart.js so that test/cart.test.js passes",
    "Update src/api.js to satisfy test/api.test.js",
    "Fix the failing tests",
    "Read total() first; the tests follow the same order",
    "Fix total() and add tests for it",
    "Write tests for src/cart.js in test/cart.test.js",
    "Do not change the tests",
    "Fix total(). Leave the existing tests alone.",
    "Read package.json and print its version",
    "Fix total() without updating test/cart.test.js",
    "Add a test command to the CLI",
    "Fix total(). Do not change, remove or skip the tests",
    "The tests must not be changed, and total() returns the sum",
    "Without changes to the tests, remove the cache",
    "Fix total(). No test should fail, and none needs to be changed",
    "total() returns 6 instead of 5",
    "Are the tests wrong?",
    "The tests in test/a.test.js show that total() is wrong: fix it.",
    "The test in test/a.test.js must stay as it is, and must not be changed: do not skip it.",
    "The tests in test/a.test.js fail because the cache is stale. Remove the cache.",
    "The example in spec/a_spec.rb fails. Fix it.",
    "lib/a.rb reads blank lines. Skip them.",
    "Make build.sh pass",
    "Let `sh scripts/build.sh` succeed again",
  ])("nothing: %s", (spec) => {
    expect(askedChanges(spec)).toEqual([]);
  });

  it("tests to write, and tests to lose", () => {
    expect(asksForTests("Add src/discount.js and tests for it")).toBe(true);
    expect(asksForTests("Raise the coverage to 90 %")).toBe(true);
    expect(asksForTests("test(money): cover the converter")).toBe(true);
    expect(asksForTests("test: cover the converter")).toBe(true);
    expect(asksForTests("Make sure there are tests for the error path")).toBe(true);
    expect(asksForTests("Raise the coverage so that npm test passes: add tests, leave src/ alone.")).toBe(
      true,
    );
    expect(asksForTests("`npm run cover` fails since show() has no tests: write them.")).toBe(true);
    expect(asksForTests("No test may fail: write one file")).toBe(false);
    expect(asksForTests("Make the tests pass")).toBe(false);
    expect(asksForTests("Fix src/a.js, do not add tests")).toBe(false);
    expect(asksForTests("Implement add(). Its tests are in test/add.test.js")).toBe(false);
    expect(asksForTests("Add a cache so that the tests pass")).toBe(false);
    expect(asksForFewerTests("Skip the flaky test in test/a.test.js")).toBe(true);
    expect(asksForFewerTests('The test "b" in test/a.test.js is broken until c lands: skip it.')).toBe(true);
    expect(asksForFewerTests("The example in spec/a_spec.rb is flaky. Skip it.")).toBe(true);
    expect(asksForFewerTests("Update the expectations in test/a.test.js")).toBe(false);
  });
});

it.each([
  ["Fix look.mjs so that it prints 3.", true],
  ["Shorten `data/look.mjs`; look.mjs must pass.", true],
  ["Make uniq() fast: bench/look.mjs must stay below its limit.", false],
  ["a.json must satisfy config/look.mjs.", false],
  ["Work until `look.mjs` passes.", false],
  ["Complete de.json: every key of locales/look.mjs must be there.", false],
  ["Fix a.", false],
])("%s names look.mjs as the work: %s", (spec, isWork) => {
  expect(namesWork(spec, "look.mjs")).toBe(isWork);
});
