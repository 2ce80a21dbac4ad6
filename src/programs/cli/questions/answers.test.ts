import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { Answers, repeatedLine } from "./answers.ts";

function repeated(words: readonly string[], answer: (answers: Answers) => void): string | null {
  const program = new Command("loop");
  program
    .command("run")
    .argument("[spec...]")
    .option("-f, --file <path>")
    .option("-c, --criterion <name=command>")
    .option("--protect <glob>")
    .option("--verbose");
  const answers = new Answers();
  answer(answers);
  return repeatedLine(program, words, answers);
}

const TESTS = (answers: Answers): void => answers.addFlags("-c", "tests pass=npm test");

describe("the line that repeats a command with its answers", () => {
  test.each<[string, readonly string[], (answers: Answers) => void, string | null]>([
    ["nothing answered", ["run", "Fix it"], () => undefined, null],
    ["answers that are kept elsewhere by now", ["run", "Fix it"], (all) => (TESTS(all), all.forget()), null],
    ["added flags", ["run", "Fix", "it"], TESTS, "loop run Fix it -c 'tests pass=npm test'"],
    [
      "globs, which a shell would expand",
      ["run", "x", "--protect", "test/**"],
      TESTS,
      "loop run x --protect 'test/**' -c 'tests pass=npm test'",
    ],
    [
      "flags before the words",
      ["run", "--verbose", "-c", "a=b", "x"],
      TESTS,
      "loop run x --verbose -c a=b -c 'tests pass=npm test'",
    ],
    [
      "a value that is a word of the spec",
      ["run", "-c", "x", "x"],
      (all) => all.setSpec("y"),
      "loop run y -c x",
    ],
    [
      "a settled criterion, in each spelling",
      ["run", "-c", "a b", "-ca b", "--criterion=a b"],
      (all) => all.settleCriterion("a b", "a b=ls"),
      "loop run -c 'a b=ls' -c 'a b=ls' --criterion 'a b=ls'",
    ],
    [
      "a spec in the place of its file",
      ["run", "-f", "spec.md", "--verbose"],
      (all) => all.setSpec("It's new"),
      "loop run 'It'\\''s new' --verbose",
    ],
    [
      "a spec that looks like a flag",
      ["run", "x"],
      (all) => all.setSpec("-v is new"),
      "loop run -- '-v is new'",
    ],
    [
      "words behind --",
      ["run", "--verbose", "--", "-x"],
      TESTS,
      "loop run --verbose -c 'tests pass=npm test' -- -x",
    ],
  ])("has %s", (_, words, answer, line) => {
    expect(repeated(words, answer)).toBe(line);
  });
});
