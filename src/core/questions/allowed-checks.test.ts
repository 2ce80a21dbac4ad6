import { describe, expect, test } from "vitest";
import { isAllowedCheck, isCheckPattern } from "./allowed-checks.ts";

const isAllowed = (command: string, ...patterns: readonly string[]): boolean =>
  isAllowedCheck(command, { discovered: ["npm run test", "cargo test"], patterns });

describe("a command that a model wrote may be a check", () => {
  test.each(["npm run test", "npm test", "  npm   test ", "cargo test"])(
    "as one of the project's own: %j",
    (command) => {
      expect(isAllowed(command)).toBe(true);
    },
  );

  test.each([
    ["npm test -- schema", "npm test -- *"],
    ["npm test -- src/a.test.ts --grep=über", "npm test -- *"],
    ["pytest tests/a.py::b -k c", "pytest *"],
    ["make check", "make check"],
    ["make lint && make check", "make lint && make *"],
    ["grep -q 'a' b.txt", "grep -q 'a' *"],
  ])("as a pattern allows: %j by %j", (command, pattern) => {
    expect(isAllowed(command, pattern)).toBe(true);
  });
});

describe("a command that a model wrote may not be a check", () => {
  test.each([
    "npm test; rm -rf /",
    "npm test && true",
    "npm test\nrm -rf /",
    "npm\ntest",
    "npm test -- x",
    "npm tests",
    "NPM TEST",
    "true",
    "",
  ])("%j, which no tool of the project runs", (command) => {
    expect(isAllowed(command)).toBe(false);
  });

  test.each("`$%;|&<>()'\"\\#!{}[]*?\t\n\r\0\u2028".split(""))("through a star: %j", (mark) => {
    expect(isAllowed(`npm test -- a${mark}b`, "npm test -- *")).toBe(false);
    expect(isAllowed(`npm test -- ${mark}`, "npm test -- *")).toBe(false);
  });

  test.each([
    ["sudo npm test", "npm test*"],
    ["cargo build", "cargo b"],
    ["npmXtest", "npm.test"],
    ["rm -rf .", "*"],
    ["rm -rf .", "* -rf ."],
    ["rm -rf .", " rm *"],
  ])("%j by %j", (command, pattern) => {
    expect(isAllowed(command, pattern)).toBe(false);
  });
});

test("a pattern names its program, and is compared in no time", () => {
  expect(["npm test *", "make", "go test ./... *"].filter(isCheckPattern)).toHaveLength(3);
  expect(["*", "n*", " npm", "", "a\nb"].filter(isCheckPattern)).toEqual([]);
  expect(isAllowed(`npm ${"a ".repeat(50_000)};`, "npm * * * *")).toBe(false);
});
