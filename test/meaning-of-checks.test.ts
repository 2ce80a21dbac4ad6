import { describe, expect, test } from "vitest";
import { Sandbox } from "./support/sandbox.ts";
import { oneOf } from "./support/effort.ts";

function shop(): Sandbox {
  const sandbox = new Sandbox({
    "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }),
    "src/total.js": "export const total = (all) => all.length;\n",
    "test/total.test.js":
      'import test from "node:test";\nimport assert from "node:assert";\nimport { total } from "../src/total.js";\ntest("adds up", () => assert.equal(total([1, 2]), 3));\ntest.skip("later", () => {});\n',
  });
  sandbox.commitAll();
  return sandbox;
}

describe("loop criteria show", () => {
  test("names what a check is defined by, and runs nothing", () => {
    const sandbox = shop();
    sandbox.start("s1", "Fix total()", "-c", "tests pass=npm test");
    const { code, out } = sandbox.loop("criteria", "show");
    expect(code).toBe(0);
    expect(out).toMatch(/^tests pass: npm test → .*scripts\.test in package\.json/);
    expect(out).toContain("test/total.test.js");
    const { checks } = JSON.parse(sandbox.loop("criteria", "show", "tests pass", "--json").out) as {
      checks: readonly {
        readonly definitions: readonly { readonly path: string; readonly kind: string }[];
      }[];
    };
    expect(checks[0]?.definitions).toContainEqual(
      expect.objectContaining({ path: "test/total.test.js", kind: "test" }),
    );
  });

  test("says that there is none, and that a name is unknown", () => {
    const sandbox = shop();
    sandbox.start("s1", "Fix total()", "-c", "it is pretty");
    expect(sandbox.loop("criteria", "show").out).toBe("No criterion here has a check.\n");
    expect(sandbox.loop("criteria", "show", "nope")).toMatchObject({ code: 1 });
  });
});

test.each(
  oneOf([
    ["tests=npm test | tail -3", true],
    ["tests=npm test || true", true],
    ["tests=npm test", false],
  ]),
)("a check that can hide a failure is warned of when the loop is opened: %s", (criterion, isWarned) => {
  const sandbox = shop();
  const { err } = sandbox.loop("start", "Fix total()", "-c", criterion);
  expect(err.includes('The check "tests" may pass although it failed')).toBe(isWarned);
});

test("loop check tells how many tests ran", () => {
  const sandbox = shop();
  sandbox.start("s1", "Fix total()", "-c", "tests pass=node --test --test-reporter=spec");
  const { out } = sandbox.loop("check");
  expect(out.split("\n")[0]).toContain("1 test, 1 skipped");
});
