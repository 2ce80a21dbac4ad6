import { describe, expect, it } from "vitest";
import { BaselineWorld } from "../../../test/support/opening-world.ts";
import type { TestReport } from "../reports/test-report.ts";
import { shortfallOfBaseline } from "./shortfalls.ts";
import { readBaseline, writeBaseline } from "./baseline-record.ts";

const FILES = {
  "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test", start: "node ." } }),
  "src/a.js": "export const a = 1;\n",
  "test/a.test.js": "// a\n",
  "test/b.test.js": "// b\n",
  ".gitignore": ".env\n",
};

function reportOf(part: Partial<TestReport> = {}): TestReport {
  const { passed = 2, failed = 0 } = part;
  return {
    runner: "node:test",
    executed: passed + failed,
    passed,
    failed,
    skipped: 0,
    todo: 0,
    deselected: 0,
    errors: 0,
    names: null,
    unit: "tests",
    reports: 1,
    withoutTests: [],
    isCutShort: false,
    isContradictory: false,
    isPartial: false,
    ...part,
  };
}

async function openedWorld(start: Parameters<BaselineWorld["open"]>[0] = null): Promise<BaselineWorld> {
  const world = new BaselineWorld(FILES, "npm test");
  await world.open(start);
  return world;
}

describe("how a check stood before the work", () => {
  const now = new Map([["ok", reportOf()]]);
  const red = reportOf({ passed: 1, failed: 1 });

  it.each([
    ["nobody looked", null, "unknown"],
    ["it passed", { exitCode: 0, report: reportOf() }, "green"],
    ["a test failed", { exitCode: 1, report: red }, "red"],
    ["it hung", { exitCode: null, report: red }, "unrun"],
    ["its program is missing", { exitCode: 127, report: null }, "unrun"],
    ["it ran no test", { exitCode: 1, report: reportOf({ passed: 0, errors: 1 }) }, "unrun"],
    ["a runner reported nothing", { exitCode: 1, report: null }, "unrun"],
  ] as const)("is known where %s", async (_what, start, before) => {
    const world = await openedWorld(start);
    expect(await world.changes({ reports: now })).toMatchObject({ before });
  });

  it("a check without tests is red when it fails", async () => {
    const world = new BaselineWorld(FILES, "test -f done.txt");
    await world.open({ exitCode: 1, report: null });
    expect(await world.changes()).toMatchObject({ before: "red", shortfalls: null });
  });
});

describe("what a report lacks", () => {
  async function shortfalls(start: TestReport | null, now: TestReport | null, exitCode = 1) {
    const world = await openedWorld({ exitCode, report: start });
    return (await world.changes({ reports: new Map([["ok", now]]) })).shortfalls;
  }

  it("nothing where as many tests ran", async () => {
    expect(await shortfalls(reportOf({ passed: 1, failed: 1 }), reportOf({ passed: 3 }))).toEqual([]);
  });

  it("tests that ran before, clearly", async () => {
    expect(await shortfalls(reportOf(), reportOf({ passed: 1 }))).toEqual([
      { text: "1 test executed, 2 at the opening.", isClear: true, isOfNumbers: true },
    ]);
    expect(await shortfalls(reportOf(), null)).toMatchObject([{ isClear: true }]);
  });

  it("names that are others now, perhaps", async () => {
    const found = await shortfalls(reportOf({ names: ["a", "b"] }), reportOf({ names: ["a", "c"] }));
    expect(found).toMatchObject([{ isClear: false }]);
  });

  it("a failed test in a check that passes, clearly where the check once failed for it", async () => {
    const failed = reportOf({ passed: 1, failed: 1 });
    const text = "It passes although node:test reports that 1 test failed: something hides the exit code.";
    expect(await shortfalls(failed, failed)).toEqual([{ text, isClear: true, isOfNumbers: false }]);
    expect(await shortfalls(failed, failed, 0)).toEqual([{ text, isClear: false, isOfNumbers: false }]);
  });

  it("a report at all, where a runner is known and never told of a test", async () => {
    const world = await openedWorld();
    expect((await world.changes({ reports: new Map([["ok", null]]) })).shortfalls).toEqual([
      {
        text: "It runs tests but prints no report that can be read.",
        isClear: false,
        isOfNumbers: false,
        isUnread: true,
      },
    ]);
  });

  it("of the opening's judge: tests of the opening, and failed ones in a run that passed", async () => {
    const world = await openedWorld({ exitCode: 1, report: reportOf({ passed: 1, failed: 1 }) });
    const { baseline } = await world.compared();
    expect(shortfallOfBaseline({ baseline, plainTests: [] }, reportOf())).toEqual({
      clear: null,
      unclear: null,
    });
    expect(shortfallOfBaseline({ baseline, plainTests: [] }, reportOf({ passed: 1 })).clear).toContain(
      "1 test executed, 2 at the opening",
    );
    expect(
      shortfallOfBaseline({ baseline, plainTests: [] }, reportOf({ passed: 1, failed: 1 })).clear,
    ).toContain("1 test failed");
  });
});

describe("what changed", () => {
  it("nothing", async () => {
    const world = await openedWorld();
    expect(await world.changes()).toMatchObject({ definitions: [] });
    expect((await world.compare()).changes.files).toEqual({
      source: [],
      tests: [],
      definitions: [],
      deleted: [],
    });
  });

  it("a script that builds and may change is the work, and one that judges isn't", async () => {
    const files = {
      "ci/size.sh": "[ $(wc -c < page) -le 9 ]\n",
      "build.sh": "cat a > page\n",
      a: "1\n",
    };
    const world = new BaselineWorld(files, "sh build.sh && sh ci/size.sh");
    await world.open();
    world.write({ "build.sh": "tr -d ' ' < a > page\n", "ci/size.sh": `${files["ci/size.sh"]}true\n` });
    const changed = async (...mayChange: readonly string[]): Promise<readonly string[]> =>
      (await world.changes({ mayChange })).definitions.map(({ path }) => path).toSorted();
    expect(await changed("build.sh", "ci/size.sh")).toEqual(["ci/size.sh"]);
    expect(await changed()).toEqual(["build.sh", "ci/size.sh"]);
  });

  it("tests, scripts and ignored files that define it; the user may exempt some", async () => {
    const world = await openedWorld();
    world.write({
      "package.json": JSON.stringify({ type: "module", version: "2.0.0", scripts: { test: "true" } }),
      "src/a.js": "export const a = 2;\n",
      "test/a.test.js": null,
      "test/b.test.js": "// weaker\n",
      "test/c.test.js": "// new\n",
      ".env": "NODE_OPTIONS=--require=./x.cjs\n",
    });
    const { definitions } = await world.changes({ mayChange: ["test/b*"] });
    expect(definitions.map(({ name, change, isTest, isExempt }) => [name, change, isTest, isExempt])).toEqual(
      [
        ["scripts.test in package.json", "changed", false, false],
        [".env", "added", false, false],
        ["test/a.test.js", "removed", true, false],
        ["test/b.test.js", "changed", true, true],
        ["test/c.test.js", "added", true, false],
      ],
    );
    expect((await world.compared({ mayChange: ["test/b*"] })).judged).toHaveLength(4);
    expect((await world.compare()).changes.files).toEqual({
      source: ["src/a.js"],
      tests: ["test/b.test.js", "test/c.test.js"],
      definitions: ["package.json"],
      deleted: ["test/a.test.js"],
    });
  });

  it("tests inside source files by name: one may move, and new ones are welcome", async () => {
    const rust = (name: string): string => `#[cfg(test)]\nmod tests {\n  #[test]\n  fn ${name}() {}\n}\n`;
    const world = new BaselineWorld(
      { "Cargo.toml": '[package]\nname = "a"\n', "src/lib.rs": rust("adds"), "src/b.rs": "" },
      "cargo test",
    );
    await world.open();
    world.write({ "src/lib.rs": rust("other"), "src/b.rs": rust("adds") });
    expect((await world.changes()).definitions).toEqual([]);
    world.write({ "src/b.rs": "" });
    expect((await world.changes()).definitions).toMatchObject([{ change: "removed", isTest: true }]);
  });
});

describe("there is nothing to compare with", () => {
  const EARLIER = "a version without openings opened it, so it is unknown what changed since";

  it("nobody kept an opening", async () => {
    const world = new BaselineWorld(FILES, "npm test");
    expect((await world.compare()).changes).toMatchObject({ missing: EARLIER, files: null });
  });

  it("the check was another one", async () => {
    const world = await openedWorld();
    const criteria = world.criteria.map((each) => ({
      ...each,
      check: { ...world.check, command: { kind: "shell", line: "npm run other" } as const },
    }));
    expect((await world.compare({ criteria })).changes.missing).toBe('"ok" has no opening to compare with');
  });

  it("its files are gone, or cannot be read now", async () => {
    const world = await openedWorld();
    expect((await world.compare({ reading: null })).changes.missing).toContain("cannot be read");
    const which = { ...world.which, name: null, command: null };
    const baseline = readBaseline(which);
    if (baseline === null) throw new Error("it was opened");
    writeBaseline(which, { ...baseline, kept: { type: "git", commit: "0".repeat(40) } });
    expect((await world.compare()).changes.missing).toContain("there is no opening to compare with");
    writeBaseline(which, { ...baseline, kept: { type: "none", why: "it was too large" } });
    expect((await world.compare()).changes.missing).toContain("it was too large");
  });
});

describe("what the command loads before its tests", () => {
  const files = {
    "src/bootstrap.php": "<?php\nspl_autoload_register(fn ($name) => require $name);\n",
    "tests/CartTest.php": "<?php\nclass CartTest {}\n",
  };

  it.each([
    ["Let the autoloader in src/bootstrap.php find namespaces.", 0],
    ["Find namespaces.", 1],
  ])("is the work where the spec names it: %s", async (spec, judged) => {
    const world = new BaselineWorld(files, "phpunit --bootstrap src/bootstrap.php tests");
    await world.open();
    world.write({ "src/bootstrap.php": "<?php\n" });
    expect((await world.compared({ spec })).judged).toHaveLength(judged);
  });
});
