import { expect, test } from "vitest";
import {
  MINUTE,
  START,
  checked,
  loopWith,
  proofShown,
  ran,
  unchecked,
} from "../../test/support/loop-builders.ts";
import type { Actor, LoopEvent } from "../core/events/event.ts";
import { standardOf } from "../core/loop/criterion.ts";
import { topFrame } from "../core/loop/loop.ts";
import type { Proof } from "../core/loop/proof.ts";
import { detailText, knownText, rowOf } from "./criterion.ts";

const NOW = START + 3 * MINUTE;

function attested(name: string, actor: Actor): LoopEvent {
  return { type: "criterion.attested", name, by: "observation", actor, note: null, source: "command" };
}

function proven(kind: Proof["kind"], result: Proof["result"] = "stands"): LoopEvent {
  return proofShown("tests", { kind, result });
}

function atStart(passed: boolean): LoopEvent {
  return { ...ran("tests", { passed }), atStart: true };
}

test.each<[string, LoopEvent[], string, string, string]>([
  ["never run", [], "unverified", "not run yet", "run tests: not run yet"],
  ["passed", [ran("tests")], "met", "passed", "run tests: passed, 3 min ago"],
  [
    "failed",
    [ran("tests", { passed: false })],
    "unmet",
    "failed with exit code 1",
    "run tests: failed with exit code 1, 3 min ago",
  ],
  [
    "broken by the agent",
    [atStart(true), ran("tests", { passed: false })],
    "unmet",
    "failed with exit code 1",
    "run tests: failed with exit code 1, 3 min ago, regressed, already true",
  ],
  [
    "true from the start",
    [atStart(true), ran("tests")],
    "met",
    "passed",
    "run tests: passed, 3 min ago, already true",
  ],
  [
    "is fixed, with proofs",
    [atStart(false), ran("tests"), proven("judge"), proven("counts"), proven("repeat")],
    "met",
    "passed",
    "run tests: passed, 3 min ago, fixed, proofs: judge, counts, repeat",
  ],
  [
    "was kept",
    [atStart(true), ran("tests"), proven("repeat"), proven("revert", "fails")],
    "met",
    "passed",
    "run tests: passed, 3 min ago, kept, proofs: repeat, also passes without the work",
  ],
  [
    "passes only with other tests",
    [atStart(false), ran("tests"), proven("counts"), proven("judge", "fails")],
    "unmet",
    "passed",
    "run tests: passed, 3 min ago, fails with the original tests, proofs: counts",
  ],
  [
    "ran fewer tests",
    [ran("tests"), proven("counts", "fails")],
    "unmet",
    "passed",
    "run tests: passed, 3 min ago, tests are missing",
  ],
  [
    "is flaky and was not judged",
    [ran("tests"), proven("repeat", "fails"), proven("judge", "open")],
    "met",
    "passed",
    "run tests: passed, 3 min ago, flaky, not shown: whether the original tests pass",
  ],
  [
    "was not shown to mean what it did, and why",
    [ran("tests"), proofShown("tests", { kind: "counts", result: "open", detail: "Only\nin a.go:3." })],
    "met",
    "passed",
    "run tests: passed, 3 min ago, not shown: whether its tests mean what they meant at the start (Only in a.go:3)",
  ],
  [
    "passed elsewhere",
    [ran("tests", { treeDigest: "tree-1" })],
    "unverified",
    "passed",
    "run tests: passed, 3 min ago, on another tree",
  ],
  [
    "passed while protected files were others",
    [ran("tests", { protectedDigest: "other" })],
    "unverified",
    "passed",
    "run tests: passed, 3 min ago, void: protected files changed",
  ],
])("a check that %s", (_, events, status, known, detail) => {
  const loop = loopWith({ goal: { criteria: [checked("tests")] } }, ...events);
  const [row] = topFrame(loop).criteria.map((each) => rowOf(each, standardOf(loop, "tree-0")));
  if (row === undefined) throw new Error("no criterion");
  expect([row.status, knownText(row), detailText(row, NOW)]).toEqual([status, known, detail]);
});

test.each<[string, LoopEvent[], string, string, string]>([
  ["nobody's word", [], "unverified", "no check configured", "no check configured"],
  [
    "a person's word",
    [attested("docs", "person")],
    "met",
    "attested by a person's observation",
    "no check configured, attested by a person's observation",
  ],
  [
    "the agent's word",
    [attested("docs", "agent")],
    "met",
    "attested by the agent's observation",
    "no check configured, attested by the agent's observation",
  ],
])("without a check, on %s", (_, events, status, known, detail) => {
  const loop = loopWith({ goal: { criteria: [unchecked("docs")] } }, ...events);
  const [row] = topFrame(loop).criteria.map((each) => rowOf(each, standardOf(loop)));
  if (row === undefined) throw new Error("no criterion");
  expect([row.status, knownText(row), detailText(row, NOW)]).toEqual([status, known, detail]);
});

test("what a check and its command say is cut, and stays in one line", () => {
  const loop = loopWith(
    { goal: { criteria: [checked("tests")] } },
    ran("tests", { command: `run\n${"x".repeat(90)}`, ending: `broke\n${"y".repeat(900)}` }),
  );
  const [row] = topFrame(loop).criteria.map((each) => rowOf(each, standardOf(loop)));
  if (row === undefined) throw new Error("no criterion");
  expect(detailText(row, START)).toMatch(/^run x{35}…: broke y{113}…, just now$/);
});
