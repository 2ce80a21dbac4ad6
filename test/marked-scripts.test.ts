import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { languageOf, markedCommand } from "../src/verify/definitions/injecting/injected.ts";
import type { Sentinels } from "../src/verify/definitions/injecting/language.ts";
import { begun, ended } from "../src/verify/definitions/injecting/language.ts";
import { makeTemporaryFolder } from "./support/temporary-folder.ts";

const FAILS: Sentinels = { nonce: "123456789012", fails: true };
const TELLS: Sentinels = { ...FAILS, fails: false };

const INTERPRETERS: readonly (readonly [RegExp, string])[] = [
  [/js$/, process.execPath],
  [/\.py$/, "python3"],
  [/\.bash$/, "bash"],
  [/\.sh$/, "sh"],
];

interface Script {
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

/** What a marked script does next to these files; null if it isn't marked. */
function run(
  { file, text }: Pick<Script, "file" | "text">,
  marks: Sentinels,
  beside: { readonly [name: string]: string } = {},
): string | null {
  const marked = languageOf(file, text)?.script(text, marks) ?? null;
  if (marked === null) return null;
  const folder = makeTemporaryFolder();
  for (const [name, content] of Object.entries({ ...beside, [file]: marked }))
    writeFileSync(join(folder, name), content);
  const [, program = ""] = INTERPRETERS.find(([name]) => name.test(file)) ?? [];
  const { status, stderr } = spawnSync(program, [file], { cwd: folder, encoding: "utf8" });
  rmSync(folder, { recursive: true });
  const has = (mark: string): boolean => stderr.split(/\s+/).includes(mark);
  return `${has(begun(marks)) ? "begun" : "-"} ${has(ended(marks)) ? "ended" : "-"} ${status}`;
}

const HONEST: readonly Script[] = [
  { name: "it just ends", file: "a.js", text: "const one = 1;\nif (one !== 1) throw new Error();" },
  {
    name: "imports come first",
    file: "a.mjs",
    text: 'import assert from "node:assert";\nassert.equal(1, 1);\n',
  },
  {
    name: "both ways out",
    file: "a.js",
    text: "const bad = 0\nif (bad) process.exit(1)\nelse process.exit(0)\n",
  },
  {
    name: "no semicolons",
    file: "a.js",
    text: '#!/usr/bin/env node\n"use strict"\nconsole.log(1)\nprocess.exit()\n',
  },
  {
    name: "later",
    file: "a.js",
    text: "setTimeout(() => { process.exitCode = 1 - 1; }, 5);",
  },
  {
    name: "a promise, and exit as a function",
    file: "a.js",
    text: "(async () => 0)().then(process.exit, () => process.exit(1));",
  },
  {
    name: "a child's own exit",
    file: "a.js",
    text: 'const c = "process.exitCode"; module.exports = { exit: c };',
  },
  {
    name: "a main function",
    file: "a.py",
    text: 'import sys\ndef main():\n    return 0\nif __name__ == "__main__":\n    sys.exit(main())\n',
  },
  { name: "nothing but statements", file: "a.py", text: "assert 1 == 1" },
  {
    name: "what Python wants first",
    file: "a.py",
    text: '"""Words."""\nfrom __future__ import annotations\nraise SystemExit(0)\n',
  },
  { name: "an exit without a code", file: "a.py", text: "raise SystemExit\n" },
  { name: "exits caught", file: "a.py", text: "try:\n    exit(0)\nexcept SystemExit as e:\n    raise\n" },
  { name: "a counter", file: "a.sh", text: "failed=0\n[ 1 = 1 ] || failed=1\nexit $failed\n" },
  { name: "the last command decides", file: "a.sh", text: "set -eu\n[ 1 = 1 ]\ntest 2 = 2" },
  { name: "one line", file: "a.bash", text: "if [[ 1 = 2 ]]; then exit 1; else exit 0; fi\n" },
  { name: "it cleans up", file: "a.sh", text: "trap 'true' EXIT\necho a | grep -q a\n" },
];

test.each(HONEST)("$file, $name: the end is reached, and fails", ({ file, text }) => {
  expect(run({ file, text }, FAILS)).toBe("begun ended 1");
  expect(run({ file, text }, TELLS)).toBe("begun ended 0");
});

describe("a failure of its own stays its own", () => {
  test.each([
    ["a.js", "process.exit(3);", 3],
    ["a.js", "process.exitCode = 4;", 4],
    ["a.py", "import sys\nsys.exit(3)\n", 3],
    ["a.py", "raise SystemExit('why')", 1],
    ["a.sh", "exit 3", 3],
    ["a.sh", "false", 1],
  ])("%s: %s", (file, text, code) => {
    expect(run({ file, text }, FAILS)).toBe(`begun - ${code}`);
  });
});

const ENDS_IT = [
  "process.exit(0);",
  "process.reallyExit(0);",
  'require("node:assert").equal = () => {};',
  'JSON.stringify = () => "";',
];

test.each(ENDS_IT)("what a script loads never lets it end: %s", (text) => {
  const script = `const assert = require("node:assert"); require("./b.js");
assert.equal(JSON.stringify(1), JSON.stringify(1));`;
  expect(run({ file: "a.js", text: script }, FAILS, { "b.js": text })).toBe("begun - 0");
});

test("an exit code that is set behind the end is noticed", () => {
  const handler = 'process.on("exit", () => { process.exitCode = 0; });';
  expect(run({ file: "a.mjs", text: 'import "./b.js";' }, FAILS, { "b.js": handler })).toBe("begun ended 0");
});

test.each([
  ["import os\nos._exit(0)", "begun - 0"],
  ["import json\njson.dumps = lambda x: ''", "begun - 0"],
  ["import atexit, os\natexit.register(lambda: os._exit(0))", "begun ended 0"],
])("what a Python script loads never makes it look whole: %s", (text, expected) => {
  const script = "import json, b\nassert json.dumps(1) == json.dumps(1)\n";
  expect(run({ file: "a.py", text: script }, FAILS, { "b.py": text })).toBe(expected);
});

test.each([
  ["exit 0", "begun - 0"],
  ["trap 'exit 0' EXIT", "begun ended 0"],
  ["test() { true; }", "begun - 0"],
])("what a shell script loads never makes it look whole: %s", (text, expected) => {
  expect(run({ file: "a.sh", text: ". ./b.sh\ntest 1 = 1" }, FAILS, { "b.sh": text })).toBe(expected);
});

test.each([
  ["a.js", "const { exit } = process;\nexit(0);"],
  ["a.js", 'process.on("exit", () => { process.exitCode = 0; });'],
  ["a.js", 'const test = require("tape");'],
  ["a.py", "import unittest\nunittest.main()"],
  ["a.py", "import click\n"],
  ["a.sh", "exec node a.js\n"],
  ["a.sh", "trap 'exit 1' EXIT\n"],
  ["a.sh", "cat > b.sh <<END\nexit 0\nEND\n"],
  ["a.rb", "exit 0\n"],
])("where the end of %s is unknown, nothing is marked: %s", (file, text) => {
  expect(run({ file, text }, FAILS)).toBeNull();
});

describe("code in a command", () => {
  const shell = (line: string): { readonly kind: "shell"; readonly line: string } => ({
    kind: "shell",
    line,
  });

  test.each([
    ["node", "if (1 > 2) process.exit(1)", "begun ended 1"],
    ["node", "process.exitCode = 3", "begun - 3"],
    ["python", "import sys; sys.exit(0 if 1 < 2 else 1)", "begun ended 1"],
    ["python", "assert 1 > 2", "begun - 1"],
  ] as const)("%s: %s", (interpreter, text, expected) => {
    const program = interpreter === "node" ? `"${process.execPath}" -e` : "python3 -c";
    for (const quote of ["'", '"']) {
      const command = shell(`true && ${program} ${quote}${text}${quote} && echo done`);
      const marked = markedCommand(command, { interpreter, text }, FAILS);
      if (marked?.kind !== "shell") throw new Error("it isn't marked");
      const { status, stderr } = spawnSync("sh", ["-c", marked.line], { encoding: "utf8" });
      const marks = [
        stderr.includes(begun(FAILS)) ? "begun" : "-",
        stderr.includes(ended(FAILS)) ? "ended" : "-",
      ];
      expect([...marks, status].join(" ")).toBe(expected);
    }
  });

  test("that isn't there as it is, or twice, stays", () => {
    const code = { interpreter: "node", text: "a" } as const;
    expect(markedCommand(shell("npm test"), code, FAILS)).toBeNull();
    expect(markedCommand(shell("node -e 'a' && echo 'a'"), code, FAILS)).toBeNull();
  });
});
