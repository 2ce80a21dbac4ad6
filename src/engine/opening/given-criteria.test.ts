import { describe, expect, it } from "vitest";
import { readCriterionText } from "./given-criteria.ts";

const PROGRAMS = new Set(["npm", "make", "true", "test", "pytest", "./run.sh", "cargo", "gcc", "node"]);

function read(text: string): unknown {
  return readCriterionText(text, (word) => PROGRAMS.has(word));
}

describe("a name and its command", () => {
  it.each([
    ["tests pass=npm test", "tests pass", "npm test"],
    ["OK=true", "OK", "true"],
    ["TESTS=npm test", "TESTS", "npm test"],
    ["LINT=eslint src", "LINT", "eslint src"],
    ["LINT=eslint test", "LINT", "eslint test"],
    ["CHECK=./run.sh all", "CHECK", "./run.sh all"],
    ["DONE=test -f done.txt", "DONE", "test -f done.txt"],
    ["BOTH=true && npm test", "BOTH", "true && npm test"],
    ["OK= npm test", "OK", "npm test"],
    ["ok=1 npm test", "ok", "1 npm test"],
    ["My Tests=1 npm test", "My Tests", "1 npm test"],
    [" spaced = npm test ", "spaced", "npm test"],
    ["one=FOO=1 npm test", "one", "FOO=1 npm test"],
  ])("are told apart in %s", (text, name, line) => {
    expect(read(text)).toEqual({ kind: "named", name, line });
  });
});

describe("a command that sets variables", () => {
  it.each([
    "FOO=1 npm test",
    "CI=true npm test",
    "NODE_ENV=test npm test",
    "NODE_ENV=production npm test",
    'RUSTFLAGS="-D warnings" cargo test',
    "PYTHONPATH=src pytest -q",
    "DATABASE_URL=postgres://here/db make check",
    "A=1 B=2 whatever --now",
    "FOO=1 nosuchprogram",
    "_X=0 ./run.sh",
  ])("has no name: %s", (line) => {
    expect(read(line)).toEqual({ kind: "command", line });
  });
});

it("words without = are a command or a statement, which they do not say", () => {
  expect(read(" docs updated ")).toEqual({ kind: "words", text: "docs updated" });
});

it("an empty command is refused", () => {
  expect(() => read("tests pass=")).toThrow("has an empty command; write NAME=COMMAND, or NAME alone.");
});
