import { expect, test } from "vitest";
import { START } from "../../test/support/loop-builders.ts";
import {
  adopted,
  failed,
  finished,
  mergeBegun,
  merged,
  planned,
  setback,
  started,
} from "../../test/support/workflow-builders.ts";
import type { LoopEvent } from "../core/event.ts";
import { attemptRows } from "./files/iterations.ts";

const charged = (usd: number): LoopEvent => ({ type: "cost.charged", usd, tokens: usd * 100, priced: true });

function rowsOf(...events: readonly LoopEvent[]): readonly string[] {
  const plan = adopted([planned("T-1"), planned("T-2")]);
  const timed = [plan, ...events].map((event, at) => ({ event, at: START + at }));
  return attemptRows("a-plan-a1b2", timed).map(
    ({ iteration, task, attempt, status, reason, cost }) =>
      `${iteration} ${task}-${attempt} ${status} ${reason ?? "-"} $${cost ?? "?"}`,
  );
}

test("a row an attempt: what became of it, and what it cost", () => {
  expect(
    rowsOf(
      started("T-1"),
      started("T-2"),
      failed("T-1"),
      charged(1),
      finished("T-2"),
      charged(2),
      mergeBegun(1, "T-2"),
      { ...merged(1), setBack: [{ task: "T-2", setback: setback({ kind: "red-together" }) }] },
      started("T-1", 2),
      finished("T-1", 2),
      charged(4),
      mergeBegun(2, "T-1"),
      merged(2, "T-1"),
      started("T-2", 2),
    ),
  ).toEqual([
    "1 T-1-1 continued failed $1",
    "2 T-2-1 continued red-together $2",
    "3 T-1-2 completed - $4",
    "4 T-2-2 interrupted - $0",
  ]);
});

test("the last attempt at a task that was given up goes on with no other, and dollars have no noise", () => {
  const givenUp: LoopEvent = { type: "task.given-up", task: "T-1", why: "no attempt is left" };
  const rows = rowsOf(started("T-1"), failed("T-1"), charged(0.1 + 0.2), givenUp);
  expect(rows).toEqual(["1 T-1-1 interrupted given up $0.3"]);
});

test("a charge that follows something else belongs to no attempt", () => {
  expect(rowsOf(started("T-1"), finished("T-1"), charged(1), charged(9))).toEqual([
    "1 T-1-1 interrupted not merged $1",
  ]);
});
