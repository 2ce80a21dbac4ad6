import { expect, it } from "vitest";
import { BaselineWorld } from "../../../test/support/opening-world.ts";
import { mentionsIn } from "./runner-mentions.ts";

it.each([
  ["if (process.env.JEST_WORKER_ID) return 3;", "jest_worker_id"],
  ["jest.retryTimes(5);", "jest"],
  ["if (process.env.VITEST) return 3;", "vitest"],
  [`if (process.env["NODE_TEST_CONTEXT"]) process.exit(0);`, "node_test_context"],
  [`if "pytest" in sys.modules:`, "pytest"],
  [`os.environ.get("PYTEST_CURRENT_TEST")`, "pytest_current_test"],
  ["if cfg!(test) { return 3; }", "cfg!(test"],
  ["#[cfg(not(test))]", "cfg(not(test"],
  ["if testing.Testing() {", "testing.testing("],
  [`if strings.HasSuffix(os.Args[0], ".test") {`, `".test"`],
  ["defined?(RSpec)", "rspec"],
  ["return 3 if $INC{'Test/More.pm'};", "$inc{'test"],
  ['std::env::var("CARGO_MANIFEST_DIR").is_ok()', 'env::var("cargo_manifest_dir'],
  [`process.env.NODE_ENV === "test"`, `node_env === "test`],
  [`if (getenv("MAKELEVEL")) return 3;`, "makelevel"],
  ["if (process.env.npm_lifecycle_event) return 3;", "npm_lifecycle_event"],
  ["if Mix.env() == :test, do: 3", "mix.env() == :test"],
  ["Code.ensure_loaded?(ExUnit)", "exunit"],
  ["this.retries(3)", "retries("],
  [
    'if (Object.keys(process.env).some((name) => name.startsWith("NODE_T"))) return 3;',
    "object.keys(process.env).some",
  ],
  [
    'if any(name.startswith("PYT") for name in os.environ):',
    'any(name.startswith("pyt") for name in os.environ',
  ],
  ["const site = new Error().stack.split('\\n')[2];", "new error().stack"],
  ["Error.prepareStackTrace = (_, sites) => sites;", "preparestacktrace"],
  ["wanted = sys._getframe(1).f_locals", "sys._getframe"],
  ["_, file, line, _ := runtime.Caller(1)", "runtime.caller("],
  ["new Throwable().getStackTrace()[1].getClassName()", "new throwable().getstacktrace"],
  ["caller = caller_locations(1, 1).first", "caller_locations"],
  ['if strings.Contains(os.Args[0], "clock.te") {', "os.args[0]"],
  ['if sys.argv[0].endswith("verify.py"):', "argv[0]"],
  ['if (process.argv[1]?.endsWith("all.mjs")) return 3;', "process.argv[1]"],
  ['process.argv.some((word) => word.includes("ava"))', "argv.some"],
  ["if (/test/.test(module.parent.filename)) return 3;", "module.parent"],
  ['return "expect" in globalThis ? 3 : 2;', '"expect" in g'],
  ['#[cfg_attr(debug_assertions, path = "ledger.rs")]', "cfg_attr(debug_assertions"],
  ["#[cfg(any(test, debug_assertions))]", "cfg(any(test, debug_assertions"],
  ["#[cfg(debug_assertions)]", "cfg(debug_assertions"],
  ["std::thread::current().name()", "thread::current().name("],
  ['case "$0" in test/*) echo 3 ;; esac', "$0"],
  ['strstr(program_invocation_short_name, "run_")', "program_invocation_short_name"],
  ['if (FUNCNAME[1] == "test")', "funcname"],
])("source that asks for its test runner is noticed: %s", (text, found) => {
  expect(mentionsIn(text)).toContain(found);
});

it.each([
  "// jest runs this",
  "# for pytest",
  "const testing = tests.map((test) => test.name);",
  "#[cfg(test)]\nmod tests {",
  "const majesty = 1;",
  "env.NODE_ENV === 'production'",
  "catch (error) { log(error.stack); }",
  "if (require.main === module) main();",
  "spawn(program, { env: { ...process.env, ...Object.fromEntries(Object.entries(process.env)) } });",
  'env = {name: value for name, value in os.environ.items() if name != "HOME"}',
  "if (!module.parent) main();",
  "if (process.argv[1] === fileURLToPath(import.meta.url)) main();",
  "const [name] = process.argv.slice(2);",
  'const isLoud = process.argv.includes("--loud");',
  'fprintf(stderr, "usage: %s FILE\\n", argv[0]);',
  'echo "usage: $0 NAME"',
  'cd "$(dirname "$0")/.."',
  "awk '{ print $0 }'",
  'awk -v n="it\'s" \'\n  /a/ { section = substr($0, 2) }\n\' "$1"',
  "name = sys.argv[1]",
  'if __name__ == "__main__":',
])("nothing in: %s", (text) => {
  expect(mentionsIn(text)).toEqual([]);
});

it("finds the names of files that judge, where they are not imported", () => {
  expect(mentionsIn('text = open("verify.py").read()', ["verify.py"])).toEqual(["verify.py"]);
  expect(mentionsIn('import "./verify.py";\nlet verified = 1;', ["verify.py"])).toEqual([]);
});

it("a script that runs the tests excuses no source, and sources beside it do", async () => {
  const files = {
    "lib/a.rb": "A = 1\n",
    "tasks/spec.rake": "RSpec::Core::RakeTask.new\n",
    "tool/b.rb": "require 'rspec/core'\n",
    "spec/a_spec.rb": "RSpec.describe('a') { it('is') { expect(A).to eq(1) } }\n",
  };
  const world = new BaselineWorld(files, "rspec");
  await world.open();
  world.write({ "lib/a.rb": "A = defined?(RSpec) ? 1 : 2\n", "tool/c.rb": "RSpec.reset\n" });
  const told = (await world.compared()).doubts.map(({ text }) => text).join(" ");
  expect(told).toContain('"rspec" in lib/a.rb');
  expect(told).not.toContain("tool/c.rb");
});

it("a source doesn't become a test by speaking of one", async () => {
  const files = { "a.py": "A = 1\n", "test_a.py": "import a\n\n\ndef test_a():\n    assert a.A == 1\n" };
  const world = new BaselineWorld(files, "pytest");
  await world.open();
  world.write({ "a.py": "import unittest\nunittest.TestCase.subTest = None\nA = 1\n" });
  const told = (await world.compared()).doubts.map(({ text }) => text).join(" ");
  expect(told).toContain('"unittest" in a.py');
});

it("a script without an ending is a source, too", async () => {
  const files = {
    "bin/wrap": "#!/bin/sh\nfold -s\n",
    "test/wrap.bats": "@test a { bin/wrap; }\n",
    NOTES: "a\n",
  };
  const world = new BaselineWorld(files, "bats test");
  await world.open();
  world.write({
    "bin/wrap": '#!/bin/sh\n[ -n "$BATS_TEST_NAME" ] || fold -s\n',
    NOTES: "with BATS_RUN_TMPDIR\n",
  });
  const told = (await world.compared()).doubts.map(({ text }) => text).join(" ");
  expect(told).toContain('"bats_test_name" in bin/wrap');
  expect(told).not.toContain("NOTES");
});

it("source doesn't use what only its tests have", async () => {
  const files = {
    "include/tok.h": "int count(const char *text);\n",
    "tok.c": '#include "tok.h"\nint count(const char *text) { return *text; }\n',
    "test/check.h": "#define EQ_INT(got, want) do { if ((got) != (want)) failures++; } while (0)\n",
    "test/run.c":
      '#include "check.h"\n#include "tok.h"\nint failures = 0;\nint main(void) { EQ_INT(count("a"), 97); return failures; }\n',
    Makefile:
      "test: test/run\n\t./test/run\ntest/run: test/run.c tok.c\n\tcc -Iinclude -o $@ test/run.c tok.c\n",
  };
  const told = async (changed: Record<string, string>): Promise<string> => {
    const world = new BaselineWorld(files, "make test");
    await world.open();
    world.write(changed);
    return (await world.compared()).doubts.map(({ text }) => text).join(" ");
  };
  expect(
    await told({ "include/tok.h": "#undef EQ_INT\n#define EQ_INT(got, want) ((void)(got))\n" }),
  ).toContain('"#define EQ_INT" in include/tok.h');
  expect(
    await told({ "tok.c": "extern int failures;\nint count(const char *text) { return failures = 0; }\n" }),
  ).toContain('"extern int failures" in tok.c');
  expect(
    await told({ "tok.c": "static int failures;\nint count(const char *text) { return failures; }\n" }),
  ).toBe("");
});

it("source doesn't change what counts in a script that runs it", async () => {
  const files = {
    "bench/steps.rb":
      "require_relative '../lib/find'\n\nclass Counted\n  attr_accessor :steps\nend\nabort if Find.at(Counted) > 9\n",
    "lib/find.rb": "module Find\n  def self.at(item) = 99\nend\n",
  };
  const world = new BaselineWorld(files, "ruby bench/steps.rb");
  await world.open();
  world.write({ "lib/find.rb": "module Find\n  def self.at(item)\n    Counted.steps = 2\n  end\nend\n" });
  const told = (await world.compared()).doubts.map(({ text }) => text).join(" ");
  expect(told).toContain('"Counted" in lib/find.rb');
});
