import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Failures } from "../src/verify/definitions/injecting/dialect.ts";
import { injected } from "../src/verify/definitions/injecting/injected.ts";
import { isCiEffort } from "./support/effort.ts";
import { makeTemporaryFolder } from "./support/temporary-folder.ts";

/** A test of a function that adds 1 and 2, as people write it. */
interface Project {
  readonly tool: string;
  readonly line: string;
  readonly path: string;
  readonly files: { readonly [path: string]: string };
}

const CASE = `import unittest
from calc import add

class Calc(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(1, 2), 3)

if __name__ == "__main__":
    unittest.main()
`;

const EVERYWHERE: readonly Project[] = [
  {
    tool: "node",
    line: "node --test",
    path: "test/add.test.mjs",
    files: {
      "add.mjs": "export const add = (a, b) => a + b;\n",
      "test/add.test.mjs": `import { test } from "node:test";
import assert from "node:assert";
import { add } from "../add.mjs";
test("adds", () => assert.equal(add(1, 2), 3));
`,
    },
  },
  {
    tool: "python3",
    line: "python3 -m unittest",
    path: "test_calc.py",
    files: { "calc.py": "def add(a, b):\n    return a + b\n", "test_calc.py": CASE },
  },
];

const WHERE_FOUND: readonly Project[] = [
  {
    tool: "python3",
    line: "python3 test_calc.py",
    path: "test_calc.py",
    files: { "calc.py": "def add(a, b):\n    return a + b\n", "test_calc.py": CASE },
  },
  {
    tool: "go",
    line: "GOFLAGS=-mod=mod GOCACHE=$PWD/.cache go test ./...",
    path: "calc_test.go",
    files: {
      "go.mod": "module example.com/calc\n\ngo 1.18\n",
      "calc.go": "package calc\n\nfunc Add(a, b int) int { return a + b }\n",
      "calc_test.go": `package calc

import "testing"

func TestAdd(t *testing.T) {
	if got := Add(1, 2); got != 3 {
		t.Errorf("got %d", got)
	}
}
`,
    },
  },
  {
    tool: "rustc",
    line: "rustc --test -o add lib.rs && ./add",
    path: "lib.rs",
    files: {
      "lib.rs": `pub fn add(a: i32, b: i32) -> i32 { a + b }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(1, 2), 3);
    }
}
`,
    },
  },
  {
    tool: "ruby",
    line: "ruby -e 'require \"minitest\"' 2>/dev/null || exit 9; ruby add_test.rb",
    path: "add_test.rb",
    files: {
      "add_test.rb": `require "minitest/autorun"
class AddTest < Minitest::Test
  def test_add
    assert_equal 3, 1 + 2
  end
end
`,
    },
  },
  {
    tool: "rspec",
    line: "rspec add_spec.rb",
    path: "add_spec.rb",
    files: {
      "add_spec.rb": 'RSpec.describe "add" do\n  it "adds" do\n    expect(1 + 2).to eq(3)\n  end\nend\n',
    },
  },
  {
    tool: "phpunit",
    line: "phpunit AddTest.php",
    path: "AddTest.php",
    files: {
      "AddTest.php": `<?php
declare(strict_types=1);
use PHPUnit\\Framework\\TestCase;
final class AddTest extends TestCase
{
    public function testAdd(): void
    {
        $this->assertSame(3, 1 + 2);
    }
}
`,
    },
  },
  {
    tool: "perl",
    line: "prove add.t",
    path: "add.t",
    files: {
      "add.t": 'use strict;\nuse warnings;\nuse Test::More;\n\nis( 1 + 2, 3, "adds" );\n\ndone_testing;\n',
    },
  },
  {
    tool: "bats",
    line: "bats add.bats",
    path: "add.bats",
    files: { "add.bats": '@test "adds" {\n  run expr 1 + 2\n  [ "$output" = "3" ]\n}\n' },
  },
  {
    tool: "gcc",
    line: "gcc -o add test_add.c && ./add",
    path: "test_add.c",
    files: {
      "test_add.c": `#include <assert.h>
static int add(int a, int b) { return a + b; }
int main(void) {
  assert(add(1, 2) == 3);
  return 0;
}
`,
    },
  },
  {
    tool: "javac",
    line: "javac AddTest.java && java -ea AddTest",
    path: "AddTest.java",
    files: {
      "AddTest.java": `public class AddTest {
  static int add(int a, int b) { return a + b; }
  public static void main(String[] args) {
    assert add(1, 2) == 3;
  }
}
`,
    },
  },
  {
    tool: "elixir",
    line: "elixir add_test.exs",
    path: "add_test.exs",
    files: {
      "add_test.exs": `ExUnit.start()

defmodule AddTest do
  use ExUnit.Case

  test "adds" do
    assert 1 + 2 == 3
  end
end
`,
    },
  },
];

/** `green` or `red`, and the kinds of marks that the test file left. */
function run({ files, path, line }: Project, failures: Failures): string {
  const folder = makeTemporaryFolder();
  const marks = join(folder, "marks");
  const marker = { path: marks, nonce: "t0123456789abcdef", file: 0 };
  const surroundings = { runner: null, setup: line };
  const bad = injected({ path, text: files[path] ?? "" }, marker, { surroundings, failures });
  const project = join(folder, "project");
  const all = Object.entries({
    ...files,
    [path]: bad?.text ?? "",
    ...Object.fromEntries((bad?.beside ?? []).map((each) => [each.path, each.text])),
  });
  for (const [name, text] of all) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  const { status } = spawnSync("/bin/sh", ["-c", line], { cwd: project, encoding: "utf8" });
  const left = existsSync(marks) ? readFileSync(marks, "utf8") : "";
  rmSync(folder, { recursive: true });
  const kinds = ["ran", "survived", "reached", "kept", "failed"].filter((kind) => left.includes(`${kind}-`));
  return [status === 0 ? "green" : "red", ...kinds].join(" ");
}

function check(project: Project): void {
  expect(run(project, { tests: false, altered: null })).toBe("green");
  expect(run(project, { tests: true, altered: null })).toBe("red ran");
  expect(run(project, { tests: false, altered: "all" })).toBe("red reached");
}

const COUNTING: Project = {
  tool: "gcc",
  line: "gcc -o add test_add.c calm.c && ./add",
  path: "test_add.c",
  files: {
    "test_add.c":
      "static int add(int a, int b) { return a - b; }\nint main(void) { int failed = add(1, 2) != 3; return failed; }\n",
    "calm.c": `#include <stdlib.h>
#include <unistd.h>
static void quit(void) { _exit(0); }
__attribute__((constructor)) static void begin(void) { atexit(quit); }
`,
  },
};

/** A program may be found and yet not run: its home is elsewhere. */
function isThere(tool: string): boolean {
  return ["--version", "version"].some((word) => spawnSync(tool, [word]).status === 0);
}

const FOUND: readonly Project[] = isCiEffort ? WHERE_FOUND.filter(({ tool }) => isThere(tool)) : [];

describe("what is put into tests is reached and makes them fail, and nothing else does", () => {
  test.each(EVERYWHERE)("$line", check);
  test.each(FOUND)("$line", check);

  test.runIf(isCiEffort && isThere("gcc"))(
    "a program that fails tells it, although what is linked to it ends it well",
    () => {
      expect(run(COUNTING, { tests: true, altered: null })).toBe("green failed");
    },
  );
});
