import { expect, it } from "vitest";
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
  [`process.env.NODE_ENV === "test"`, `node_env === "test`],
  ["this.retries(3)", "retries("],
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
])("nothing in: %s", (text) => {
  expect(mentionsIn(text)).toEqual([]);
});
