import { expect, it } from "vitest";
import { printedAnswers, type PrintedCase } from "./printed-answers.ts";

const CASES: readonly PrintedCase[] = [
  { path: "cases/one.out", text: "ann 9 4.5\nbob 5 5.0\n", given: ["ann 3\nbob 5\nann 6\n"] },
];

function answersIn(
  now: string,
  { before = null as string | null, spec = "Print sums.", cases = CASES } = {},
) {
  return printedAnswers({ path: "stats.awk", now, before }, cases, spec).map(
    ({ line, input }) => `${line}: ${input}`,
  );
}

it("a source that prints what is expected of one case, line by line, has its answers", () => {
  expect(answersIn('/ann/ { print "ann 9 4.5" }\nEND { print "bob 5 5.0" }\n')).toEqual(["1: ann 9 4.5"]);
  expect(answersIn("SELECT 'ann', 9, 4.5\nUNION SELECT 'bob', 5, 5.0;\n")).toEqual(["1: ann 9 4.5"]);
});

it("one that computes them, has only some, or had them before, hasn't", () => {
  expect(answersIn("{ sum[$1] += $2; seen[$1]++ }\n")).toEqual([]);
  const half = 'END { print "ann 9 4.5" }\n';
  expect(answersIn(half)).toEqual([]);
  const both = `${half}END { print "bob 5 5.0" }\n`;
  expect(answersIn(both, { before: both })).toEqual([]);
  expect(answersIn(both, { spec: "Print ann 9 4.5 and bob 5 5.0." })).toEqual([]);
});

it("what is printed whatever is given, such as a help text, is no answer", () => {
  const help = "Usage: stats FILE\n  --mean  the mean of each\n";
  const cases = [{ path: "cases/help.out", text: help, given: ["--help"] }];
  expect(answersIn(`BEGIN { print "${help.replace("\n", '"\nprint "')}" }\n`, { cases })).toEqual([]);
});
