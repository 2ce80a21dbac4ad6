import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AskedCall, CallDialect, NumberedSite } from "../src/verify/calls/asking.ts";
import { callSitesIn } from "../src/verify/calls/call-sites.ts";
import { JAVASCRIPT_CALLS } from "../src/verify/calls/javascript-calls.ts";
import { PHP_CALLS } from "../src/verify/calls/php-calls.ts";
import { PYTHON_CALLS } from "../src/verify/calls/python-calls.ts";
import { isPlain } from "../src/verify/calls/recorded-value.ts";
import { RUBY_CALLS } from "../src/verify/calls/ruby-calls.ts";
import { ITSELF, readAnswers, readRecorded } from "../src/verify/calls/recorded-calls.ts";

interface Project {
  readonly name: string;
  readonly program: string;
  readonly dialect: CallDialect;
  readonly source: readonly [path: string, text: string];
  readonly script: readonly [path: string, text: string];
  /** Removes "gone", and then joins what leads back to itself, what is large, and `["bee", "ant"]`; ends with 2. */
  readonly careful: string;
  /** What `join(["bee"])` and `join(["x", "ant"])` give, as it is shown. */
  readonly shown: readonly [one: string, two: string];
}

const PROJECTS: readonly Project[] = [
  {
    name: "JavaScript",
    program: process.execPath,
    dialect: JAVASCRIPT_CALLS,
    source: [
      "joining.js",
      "exports.join = (words) => { if (words.includes('no')) throw new Error('no'); return words.sort().join('-'); };\n",
    ],
    script: [
      "check.js",
      `const joining = require("./joining.js");
if (joining.join(["bee", "ant"]) !== "ant-bee") process.exit(1);
process.exit(2);
if (joining.join(["later", "still"]) !== "later-still") process.exit(1);
`,
    ],
    careful: `const fs = require("node:fs");
const joining = require("./joining.js");
fs.rmSync("gone", { force: true });
const round = ["bee"];
round.push(round);
joining.join(round);
joining.join(Array(9_000).fill("bee"));
joining.join(["x".repeat(30_000)]);
if (joining.join(["bee", "ant"]) !== "ant-bee") process.exit(1);
process.exit(2);
`,
    shown: ["'bee'", "'ant-x'"],
  },
  {
    name: "Python",
    program: "python3",
    dialect: PYTHON_CALLS,
    source: [
      "joining.py",
      "def join(words):\n    if 'no' in words:\n        raise ValueError('no')\n    words.sort()\n    return '-'.join(words)\n",
    ],
    script: [
      "check.py",
      `import sys
import joining
if joining.join(["bee", "ant"]) != "ant-bee":
    sys.exit(1)
sys.exit(2)
if joining.join(["later", "still"]) != "later-still":
    sys.exit(1)
`,
    ],
    careful: `import os, shutil, sys
import joining
shutil.rmtree("gone", ignore_errors=True)
os.path.exists("gone") and os.remove("gone")
joining.join([chr(0xdc00), "bee"])
joining.join(["bee"] * 9000)
joining.join(["x" * 30000])
if joining.join(["bee", "ant"]) != "ant-bee":
    sys.exit(1)
sys.exit(2)
`,
    shown: ["'bee'", "'ant-x'"],
  },
  {
    name: "Ruby",
    program: "ruby",
    dialect: RUBY_CALLS,
    source: [
      "joining.rb",
      "def join(words)\n  raise ArgumentError, 'no' if words.include?('no')\n  words.sort!.join('-')\nend\n",
    ],
    script: [
      "check.rb",
      `# frozen_string_literal: true
require_relative "joining"
exit(1) if join(["bee", "ant"]) != "ant-bee"
exit(2)
exit(1) if join(["later", "still"]) != "later-still"
`,
    ],
    careful: `require "fileutils"
require_relative "joining"
FileUtils.rm_rf("gone")
File.unlink("gone") if File.exist?("gone")
loop_of = ["bee"]
loop_of << loop_of
(join(loop_of) rescue nil)
join(["bee"] * 9000)
join(["x" * 30000])
exit(1) if join(["bee", "ant"]) != "ant-bee"
exit(2)
`,
    shown: ['"bee"', '"ant-x"'],
  },
  {
    name: "PHP",
    program: "php",
    dialect: PHP_CALLS,
    source: [
      "joining.php",
      "<?php\nfunction join_all($words) {\n  if (in_array('no', $words)) throw new Exception('no');\n  sort($words);\n  return implode('-', $words);\n}\n",
    ],
    script: [
      "check.php",
      `<?php
declare(strict_types=1);
require __DIR__ . "/joining.php";
if (join_all(["bee", "ant"]) !== "ant-bee") exit(1);
exit(2);
if (join_all(["later", "still"]) !== "later-still") exit(1);
`,
    ],
    careful: `<?php
require __DIR__ . "/joining.php";
@unlink("gone");
@rmdir("gone");
join_all(array_fill(0, 9000, "bee"));
join_all([str_repeat("x", 30000)]);
if (join_all(["bee", "ant"]) !== "ant-bee") exit(1);
exit(2);
`,
    shown: ['"bee"', '"ant-x"'],
  },
];

describe.each(PROJECTS.filter(({ program }) => spawnSync(program, ["--version"]).status === 0))(
  "a script in $name",
  ({ program, dialect, source, script, careful, shown }) => {
    let folder = "";
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "calls-"));
      writeFileSync(join(folder, source[0]), source[1]);
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    const [path, plain] = script;
    const run = (
      asked: readonly AskedCall[],
      text = plain,
    ): { readonly status: number | null; readonly log: string } => {
      const log = join(folder, `log-${asked.length}`);
      const names = new Set(["join", "join_all", "rmSync", "rmtree", "remove", "rm_rf", "unlink", "rmdir"]);
      const sites = callSitesIn(path, text, names).map((each, site): NumberedSite => ({ ...each, site }));
      const written = dialect.withCalls({ path, text }, sites, { path: log, nonce: "t0123", asked });
      writeFileSync(join(folder, path), written);
      return { status: spawnSync(program, [path], { cwd: folder }).status, log };
    };

    test("writes down what its calls are given, and ends as before", async () => {
      const { status, log } = run([]);
      expect(status).toBe(2);
      const [call, ...more] = readRecorded(log);
      expect(more).toEqual([]);
      expect(call).toMatchObject({
        site: 0,
        args: { l: [{ l: ["bee", "ant"] }] },
        outcome: { text: shown[0].replace("bee", "ant-bee") },
      });
    });

    test("makes them again with other values, and makes those that it never gets to", async () => {
      const [call] = readRecorded(run([]).log);
      if (call === undefined) throw new Error("nothing was written down");
      const others: AskedCall["others"] = [
        [[0], { l: ["bee"] }],
        [[0, 0], "x"],
        [[0, 1], "no"],
      ];
      const own: AskedCall = { ...call, id: 0, sites: [0, 1], others };
      const later: AskedCall = {
        ...{ id: 1, site: 1, key: "later", sites: [0, 1], named: { d: [] }, others: [] },
        args: { l: [{ l: ["still", "later"] }] },
      };
      const { status, log } = run([own, later]);
      expect(status).toBe(2);
      const answers = readAnswers(log);
      expect(answers.get(1)?.get(ITSELF)).toEqual({
        isError: false,
        text: shown[0].replace("bee", "later-still"),
      });
      const gave = answers.get(0);
      expect([gave?.get(ITSELF)?.text, gave?.get(0)?.text, gave?.get(1)?.text]).toEqual([
        shown[0].replace("bee", "ant-bee"),
        ...shown,
      ]);
      expect(gave?.get(2)).toMatchObject({ isError: true });
    });

    test("leaves calls of the system, large ones and what leads back to itself alone", () => {
      const { status, log } = run([], careful);
      expect(status).toBe(2);
      const texts = readRecorded(log).map(({ args }) => JSON.stringify(args));
      expect(texts.at(-1)).toBe('{"l":[{"l":["bee","ant"]}]}');
      expect(texts.join("")).not.toContain("gone");
      expect(texts.join("").length).toBeLessThan(1_000);
    });
  },
);

/** What is called may do anything with these each time, or can't be told from its result. */
const SILENT = [
  {
    name: "Ruby",
    program: "ruby",
    dialect: RUBY_CALLS,
    path: "check.rb",
    text: `def told(value, ready: nil) = block_given? ? yield(value) : value
calls = 0
told("with a block") do calls += 1 end
told("with a procedure", ready: -> { calls += 1 })
told(:a_symbol)
told(Object.new)
told("this one", ready: 2.0)
exit(calls + 4)
`,
    written: ['"this one"'],
  },
  {
    name: "PHP",
    program: "php",
    dialect: PHP_CALLS,
    path: "check.php",
    text: `<?php
function sorted(array &$list) { sort($list); return count($list); }
function told($value, $ready = null) { return $value; }
$list = [3, 1, 2];
sorted($list);
told("with a function", fn () => 1);
told(new ArrayObject());
told("this one", ready: 2.0);
exit($list === [1, 2, 3] ? 5 : 1);
`,
    written: ['"this one"'],
  },
  {
    name: "Python",
    program: "python3",
    dialect: PYTHON_CALLS,
    path: "check.py",
    text: `import sys

def told(value, ready=None):
    return value

sys.exit(5 if told("this one", ready=2.0) else 1)
`,
    written: ["'this one'"],
  },
];

describe.each(SILENT.filter(({ program }) => spawnSync(program, ["--version"]).status === 0))(
  "what says nothing in $name",
  ({ program, dialect, path, text, written }) => {
    test("is called as it was, and isn't written down", async () => {
      const folder = mkdtempSync(join(tmpdir(), "calls-"));
      try {
        const names = new Set(["told", "sorted"]);
        const sites = callSitesIn(path, text, names).map((each, site): NumberedSite => ({ ...each, site }));
        const log = join(folder, "log");
        const asking = { path: log, nonce: "t0123", asked: [] };
        writeFileSync(join(folder, path), dialect.withCalls({ path, text }, sites, asking));
        expect(spawnSync(program, [path], { cwd: folder }).status).toBe(5);
        const recorded = readRecorded(log);
        expect(recorded.map(({ outcome }) => outcome.text)).toEqual(written);
        // Of a number whose fraction is nothing, JSON makes a whole one, which may give something else.
        expect(recorded.map(({ named }) => isPlain(named))).toEqual([false]);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  },
);

describe("a record that whatever ran has changed", () => {
  let folder = "";
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "calls-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const GOOD = [0, [{ l: ["bee"] }, { d: [] }, "key"], false, "'bee'"];

  test.each<[string, unknown]>([
    ["no list", { l: 5 }],
    ["no table", { d: [["a"]] }],
    ["two kinds in one", { l: [], d: [] }],
    ["nothing known", {}],
    ["far too deep", JSON.parse(`${'{"l":['.repeat(50)}1${"]}".repeat(50)}`)],
  ])("has no call where its arguments are %s", (_, args) => {
    const bad = [0, [args, { d: [] }, "other"], false, "1"];
    writeFileSync(join(folder, "log"), `${JSON.stringify(bad)}\n${JSON.stringify(GOOD)}\n`);
    expect(readRecorded(join(folder, "log")).map(({ key }) => key)).toEqual(["key"]);
  });

  test("is none where a pipe or a device is in its place", () => {
    spawnSync("mkfifo", [join(folder, "pipe")]);
    symlinkSync("/dev/zero", join(folder, "zero"));
    for (const name of ["pipe", "zero", "nothing"]) {
      expect(readRecorded(join(folder, name))).toEqual([]);
      expect(readAnswers(join(folder, name)).size).toBe(0);
    }
  });
});
