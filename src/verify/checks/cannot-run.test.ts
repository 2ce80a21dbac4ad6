import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { CommandLine } from "../../core/loop/criterion.ts";
import { whyItNeverBegan, writtenForRoot } from "./cannot-run.ts";

interface Seen {
  readonly exitCode?: number | null;
  readonly line?: string;
  readonly ending?: string;
  readonly executed?: number;
}

function seenIn(
  output: string,
  { exitCode = 1, line = "npm test", ending = "", executed }: Seen = {},
): string | null {
  const command: CommandLine = { kind: "shell", line };
  return whyItNeverBegan(
    { command },
    { passed: exitCode === 0, exitCode, ending, outputTail: output },
    executed === undefined ? null : { executed },
  );
}

describe("a check cannot run", () => {
  it.each([
    [127, "sh: 1: vitest: not found\n", "sh: 1: vitest: not found (exit code 127)"],
    [126, "sh: 1: ./check: Permission denied\n", "sh: 1: ./check: Permission denied (exit code 126)"],
    [127, "", "exit code 127"],
  ])("when it ends with %i", (exitCode, output, seen) => {
    expect(seenIn(output, { exitCode })).toBe(seen);
  });

  it("when it could not be started", () => {
    expect(seenIn("", { exitCode: null, ending: "could not start: spawn tset ENOENT" })).toBe(
      "could not start: spawn tset ENOENT",
    );
  });

  it.each([
    'npm error Missing script: "tset"',
    'npm ERR! Missing script: "tset"',
    " ERR_PNPM_NO_SCRIPT  Missing script: tset",
    "npm error enoent Could not read package.json: Error: ENOENT: no such file",
    'error Command "tset" not found.',
    "make: *** No rule to make target 'tset'.  Stop.",
    "make[1]: *** [Makefile:2: test] Error 127",
    "make: *** No targets specified and no makefile found.  Stop.",
    "/usr/bin/python3: No module named pytest",
    "python3: can't open file '/work/check.py': [Errno 2] No such file or directory",
    "sh: 0: cannot open check.sh: No such file",
    "/bin/sh: 1: tset: not found",
    "bash: line 1: tset: command not found",
    "error: no such command: `tset`",
    "'tset' is not recognized as an internal or external command,",
  ])("when its launcher says: %s", (words) => {
    expect(seenIn(`> test\n${words}\nmore words\n`, { exitCode: 2 })).toContain(words.trim().slice(0, 12));
  });

  it.each(["node check.js", "node ./check.js --all", "cd app && node 'check.js'"])(
    "when the file that it names is missing: %s",
    (line) => {
      const output = "node:internal/modules\n\nError: Cannot find module '/work/app/check.js'\n";
      expect(seenIn(output, { line })).toBe("Error: Cannot find module '/work/app/check.js'");
    },
  );
});

describe("a file of tests that the check names isn't there", () => {
  it.each([
    ["node --test test/no.test.js", "Could not find '/work/app/test/no.test.js'", "test/no.test.js"],
    ["node --test ./test/no.test.js", "Could not find 'test/no.test.js'", "test/no.test.js"],
    [
      "pytest -q tests/test_no.py::test_a",
      "ERROR: file or directory not found: tests/test_no.py::test_a",
      "tests/test_no.py",
    ],
    ["npx mocha test/no.js", 'Error: No test files found: "test/no.js"', "test/no.js"],
    [
      "npx vitest run no.test.ts",
      "No test files found, exiting with code 1\n\nfilter: no.test.ts",
      "no.test.ts",
    ],
    [
      "npx jest no.test.js",
      "No tests found, exiting with code 1\n  1 file checked.\nPattern: no.test.js - 0 matches",
      "no.test.js",
    ],
  ])("%s", (line, output, name) => {
    expect(seenIn(output, { line })).toBe(`there is no ${name}`);
  });

  it("but a pattern, or a file that it doesn't name, may be what the work is about", () => {
    expect(seenIn("No tests found\nPattern: cart - 0 matches", { line: "npx jest cart" })).toBeNull();
    expect(seenIn("Could not find '/work/prices.json'", { line: "node --test test/a.test.js" })).toBeNull();
  });
});

describe("a check ran", () => {
  it.each([
    ["a module of the source is missing", "Error: Cannot find module '/work/src/cart.js'"],
    ["a package of the source is missing", "ModuleNotFoundError: No module named 'cart'"],
    ["a source of a rule is missing", "make: *** No rule to make target 'a.c', needed by 'all'.  Stop."],
    ["a recipe failed", "make: *** [Makefile:2: test] Error 1"],
    ["it prints such words in the middle of a line", "expected 'sh: 1: a: not found'"],
    ["a route is missing", "404: not found"],
  ])("when %s", (_, output) => {
    expect(seenIn(output)).toBeNull();
  });

  it("when it passes, whatever it prints", () => {
    expect(seenIn("sh: 1: nosuch: not found", { exitCode: 0 })).toBeNull();
  });

  it("when tests ran, whatever they print or end with", () => {
    expect(seenIn("sh: 1: nosuch: not found", { exitCode: 127, executed: 3 })).toBeNull();
    expect(seenIn("sh: 1: nosuch: not found", { exitCode: 127, executed: 0 })).not.toBeNull();
  });

  it("when it took too long", () => {
    expect(seenIn("", { exitCode: null, ending: "did not finish within 5 s" })).toBeNull();
  });
});

function project(): string {
  const root = mkdtempSync(join(tmpdir(), "loopwright-root-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ["test", "src/test"]) mkdirSync(join(root, folder), { recursive: true });
  for (const path of ["test/a.test.js", "test/both.test.js", "src/test/both.test.js"])
    writeFileSync(join(root, path), "");
  return root;
}

const LINE = "node --test ./test/a.test.js";

function whyBelow(folder: string, line: string, outputTail: string, passed = false): string | null {
  const root = project();
  const command = { kind: "shell", line } as const;
  return writtenForRoot({ root, cwd: join(root, folder) }, { command }, { passed, outputTail });
}

it("a check that names a file of the root fails in a folder that hasn't got it", () => {
  expect(whyBelow("src", LINE, "Could not find '/work/src/test/a.test.js'")).toBe(
    "src has no test/a.test.js, but the project's root has it: start there",
  );
});

it.each<[string, Parameters<typeof whyBelow>]>([
  ["it passes", ["src", LINE, "test/a.test.js", true]],
  ["it runs in the root", ["", LINE, "test/a.test.js"]],
  ["the output is about something else", ["src", LINE, "not ok 1"]],
  ["the folder has the file, too", ["src", "node --test test/both.test.js", "test/both.test.js"]],
  ["nobody has the file yet", ["src", "node --test test/new.test.js", "test/new.test.js"]],
  ["the path leads out of the folder", ["src", "node ../test/a.test.js", "../test/a.test.js"]],
])("no such reason: %s", (_, given) => {
  expect(whyBelow(...given)).toBeNull();
});
