import { expect, test } from "vitest";
import {
  MINUTE,
  START,
  checked,
  loopOver,
  loopWith,
  proofShown,
  ran,
  unchecked,
} from "../../../test/support/loop-builders.ts";
import type { LoopEvent } from "../../core/events/event.ts";
import { criterionLine, nameWidthOf, judgedLines } from "./criterion-lines.ts";
import { progressView } from "../files/progress.ts";
import { createTerminal } from "./terminal.ts";
import { endLines } from "./run-view.ts";

const painter = { paint: (style: string, text: string) => `<${style}>${text}</${style}>` };

test("names of any script stand below each other, and are cut at the widest", () => {
  const criteria = [
    { name: "tests", status: "met" },
    { name: "コードの型", status: "unmet" },
    { name: "a name that is much too long", status: "unverified" },
  ] as const;
  const width = nameWidthOf(criteria, 12);
  expect(criteria.map((each) => criterionLine(painter, each, width, "known"))).toEqual([
    "<green>✓</green> tests         <dim>known</dim>",
    "<red>✗</red> コードの型    <dim>known</dim>",
    "<yellow>○</yellow> a name that…  <dim>known</dim>",
  ]);
  expect(nameWidthOf(criteria.slice(0, 2), 12)).toBe(10);
  expect(nameWidthOf([], 12)).toBe(0);
});

const terminal = createTerminal({ NO_COLOR: "1" }, process);
const TESTS = { goal: { criteria: [checked("tests")] } };
const VIOLATED: LoopEvent = { type: "loop.paused", reason: "must-not", detail: "path:x", by: "machine" };

test("checks that all pass while the agent has not said so are told apart from an end", () => {
  expect(judgedLines(terminal, null, loopWith(TESTS, ran("tests")))).toEqual([
    "  ✓ tests  passed",
    "    Every check passes, but the agent has not said that it is finished.",
  ]);
  const completed: LoopEvent = { type: "loop.completed", confidence: "verified", why: [], changed: null };
  expect(judgedLines(terminal, null, loopWith(TESTS, ran("tests"), completed))).toEqual([
    "  ✓ tests  passed",
  ]);
});

const WAYS = { isNamed: false, canUndo: true };

test("what a check showed before a turn says nothing about it", () => {
  const loop = loopOver(
    TESTS,
    [0, ran("tests", { passed: false, at: START })],
    [MINUTE, { type: "turn.started" }],
    [2 * MINUTE, VIOLATED],
  );
  expect(judgedLines(terminal, null, loop)).toEqual(["  ○ tests  not run after this turn"]);
});

test("a criterion takes one line of the terminal, whatever its check said", () => {
  const narrow = { ...terminal, width: 60 };
  const loop = loopWith(
    { goal: { criteria: [checked("tests"), checked("a name that is rather long")] } },
    ran("tests", { passed: false, ending: "could not be started: ".repeat(20) }),
    ran("a name that is rather long"),
  );
  const lines = judgedLines(narrow, null, loop);
  expect(lines.every((line) => line.length <= 60)).toBe(true);
  expect(lines[1]).toBe("  ✓ a name that is rather long  passed");
});

test("after a violation it is said first what has to come first, and passing checks count for nothing", () => {
  const loop = loopWith(TESTS, ran("tests"), VIOLATED);
  expect(judgedLines(terminal, null, loop)).toEqual(["  ✓ tests  passed"]);
  expect(endLines(loop, WAYS).join("\n").split("\n")).toEqual([
    "[LOOP] ⏸ Paused: must-not (path:x)",
    "Progress: 0 steps complete, 0 remaining",
    "Criteria: none counts until that is undone",
    "First: put it right; until then, resuming only pauses again",
    "Resume: loop continue",
  ]);
});

test("criteria that are met and hidden tests that fail are told together", () => {
  const failed = proofShown(null, { kind: "holdout", result: "fails", detail: "holdout: sum_of" });
  const passed = proofShown(null, { kind: "holdout", detail: "holdout: names" });
  const paused: LoopEvent = { type: "loop.paused", reason: "iterations", detail: null, by: "machine" };
  const loop = loopWith(TESTS, ran("tests"), passed, failed, paused);
  expect(endLines(loop, WAYS).join("\n")).toContain(
    "\nCriteria: 1 of 1 met, but hidden tests fail: sum_of\n",
  );
  expect(progressView(loop)).toContain("\n- Criteria: 1/1 met, but hidden tests fail: sum\\_of\n");
});

test("a completion on weak evidence names what is weak, and why", () => {
  const loop = loopWith(
    { goal: { criteria: [checked("tests"), checked("lint"), unchecked("docs")] } },
    ran("tests", { alteredTree: true }),
    ran("lint"),
    {
      type: "criterion.attested",
      name: "docs",
      by: "code review",
      actor: "agent",
      note: null,
      source: "command",
    },
    { type: "loop.completed", confidence: "weak", why: [], changed: null },
  );
  expect(endLines(loop, WAYS)[0]?.split("\n").slice(2, -1)).toEqual([
    "- tests: ✓ (weak: the check changes the files)",
    "- lint: ✓",
    "- docs: ○ not shown (the agent's code review)",
  ]);
});

test("a completion tells its proofs, why it is weak, and what it changed", () => {
  const loop = loopWith(
    TESTS,
    ran("tests"),
    proofShown("tests", { kind: "counts" }),
    proofShown("tests", { kind: "repeat" }),
    {
      type: "loop.completed",
      confidence: "weak",
      why: ["the checks pass without the work, too"],
      changed: { source: ["a.js", "b.js"], tests: [], definitions: [], deleted: ["test/a.test.js"] },
    },
  );

  expect(endLines(loop, WAYS)[0]?.split("\n")).toEqual([
    "<loop-complete>",
    "All success criteria satisfied, some on weak evidence:",
    "- tests: ✓ (proofs: counts, repeat)",
    "Weak: the checks pass without the work, too",
    "Changed: source 2, deleted 1 (test/a.test.js)",
    "</loop-complete>",
  ]);
});

test("a pass that a proof contradicts is told with it, and nobody is said to be silent", () => {
  const judged = proofShown("tests", { kind: "judge", result: "fails" });

  expect(judgedLines(terminal, null, loopWith(TESTS, ran("tests"), judged))).toEqual([
    "  ✗ tests  passed, fails with the original tests",
  ]);
});

test("a hidden test that fails is told by its name", () => {
  const hidden = proofShown(null, { kind: "holdout", result: "fails", detail: "totals" });
  const repeated = proofShown("tests", { kind: "repeat" });

  expect(judgedLines(terminal, null, loopWith(TESTS, ran("tests"), repeated, hidden))).toEqual([
    "  ✓ tests  passed",
    "  ✗ totals  fails, hidden from the agent",
  ]);
});

test("a strict loop that goes on says that the evidence is weak", () => {
  const green = proofShown("tests", { kind: "revert", result: "fails" });

  expect(judgedLines(terminal, null, loopWith({ ...TESTS, proof: "strict" }, ran("tests"), green))).toEqual([
    "  ✓ tests  passed, also passes without the work",
    "    Every check passes, but the evidence is weak, and this loop is strict.",
  ]);
});
