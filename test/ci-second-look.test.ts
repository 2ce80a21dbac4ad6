import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect } from "vitest";
import { variant } from "./support/variant.ts";

const PASSES = `test("it passes", () => { expect(1).toBe(1); });`;
const FAILS = `test("it fails", () => { expect(1).toBe(2); });`;
/** The first process that comes by makes a folder, which the second one finds. */
const ONCE = `
  import { mkdirSync } from "node:fs";
  import { join } from "node:path";
  function isFirst(name) {
    try { mkdirSync(join(process.env.HOME, name)); return true; } catch { return false; }
  }
`;
const FAILS_ONCE = `${ONCE} test("it fails once", () => { expect(isFirst("once")).toBe(false); });`;
const THROWS_ONCE = `${ONCE} test("it ends before what it began", async () => {
  if (isFirst("thrown")) setTimeout(() => { throw new Error("too late"); }, 0);
  await new Promise((done) => setTimeout(done, 100));
});`;

/** As `.ci/run` does it, in a project of these files. */
function ci(files: { readonly [name: string]: string }): {
  readonly code: number | null;
  readonly out: string;
  readonly end: readonly string[];
} {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-ci-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const env = { PATH: process.env["PATH"], HOME: folder, TEST_REPORTS: folder };
  const run = (line: string): { readonly status: number | null; readonly stdout: string } =>
    spawnSync("sh", ["-c", line], { env, encoding: "utf8" });
  const vitest = `npx vitest run --root=${folder} --globals`;
  const kept = `--reporter=default --reporter=${resolve(".ci/outcome-reporter.mjs")} --outputFile.outcome=${folder}/tests.outcome`;
  const { status, stdout } = run(`${vitest} ${kept} || .ci/second-look.mjs tests ${vitest}`);
  return { code: status, out: stdout, end: run(".ci/summary.mjs").stdout.trimEnd().split("\n") };
}

describe("a run of tests in .ci/run", () => {
  variant("that passes is not repeated, and its tests are counted", () => {
    const { code, out, end } = ci({ "one.test.mjs": PASSES });
    expect({ code, end }).toEqual({ code: 0, end: ["1 passed, 0 failed, 0 skipped"] });
    expect(out).not.toContain("second look");
  });

  variant("whose failures pass when they are run alone passes, and names them at its end", () => {
    const { code, out, end } = ci({
      "one.test.mjs": PASSES,
      "two.test.mjs": FAILS_ONCE,
      "three.test.mjs": THROWS_ONCE,
    });
    expect(out).toContain("a second look at 2 of the files, on one worker");
    expect(code).toBe(0);
    expect(end.map((line) => line.replace(/: \S*\//, ": "))).toEqual([
      "flaky: failed under load, passed alone: three.test.mjs > (outside of a test: too late) (tests)",
      "flaky: failed under load, passed alone: two.test.mjs > it fails once (tests)",
      "3 passed, 0 failed, 0 skipped",
    ]);
  });

  variant("of which a part fails twice fails, and names what failed once and twice at its end", () => {
    const { code, end } = ci({ "one.test.mjs": `${PASSES} ${FAILS}`, "two.test.mjs": FAILS_ONCE });
    expect(code).toBe(1);
    expect(end.map((line) => line.replace(/: \S*\//, ": "))).toEqual([
      "flaky: failed under load, passed alone: two.test.mjs > it fails once (tests)",
      "failed: one.test.mjs > it fails (tests)",
      "2 passed, 1 failed, 0 skipped",
    ]);
  });

  variant("in which more than five files fail is not repeated", () => {
    const names = ["one", "two", "three", "four", "five", "six"].map((name) => `${name}.test.mjs`);
    const { code, out, end } = ci(Object.fromEntries(names.map((name) => [name, FAILS])));
    expect(code).toBe(1);
    expect(out).toContain("tests: not looked at again: tests of 6 files failed");
    expect(end.at(-1)).toBe("0 passed, 6 failed, 0 skipped");
  });

  variant("that fails without a failing test is not repeated, which is said", () => {
    const { code, out, end } = ci({});
    expect({ code, end }).toEqual({ code: 1, end: ["0 passed, 0 failed, 0 skipped"] });
    expect(out).toContain("tests: not looked at again: vitest failed, and named no test");
  });
});
