import { expect, test } from "vitest";
import { launched, sessionId, START } from "../../../test/support/loop-builders.ts";
import type { EventOf, LoopEvent } from "../../core/events/event.ts";
import { iterationRows, attemptRows, type IterationRow } from "./iterations.ts";
import {
  adopted,
  failed,
  finished,
  mergeBegun,
  merged,
  planned,
  setback,
  started,
} from "../../../test/support/workflow-builders.ts";

const ended = (turn: string, outcome: EventOf<"turn.ended">["outcome"]): LoopEvent => ({
  type: "turn.ended",
  turn,
  outcome,
  said: `words of ${turn}`,
  reportedUsd: null,
  reportedTokens: null,
});
const charged = (usd: number): LoopEvent => ({
  type: "cost.charged",
  usd,
  tokens: 10,
  priced: true,
  turn: "1-1",
});
const held = (iteration: number): LoopEvent => ({ type: "iteration.held", iteration, sentFailure: null });
const paused: LoopEvent = { type: "loop.paused", reason: "budget", detail: null, by: "machine" };

function rowsOf(...events: readonly LoopEvent[]): readonly IterationRow[] {
  const fold = iterationRows("a-loop");
  return events.flatMap((event, index) => fold.take(event, index * 1000));
}

test("one row an iteration, given out when it is over", () => {
  const rows = rowsOf(
    launched("1-1", 1, "parse"),
    charged(0.1),
    ended("1-1", "finished"),
    held(2),
    launched("2-1", 2),
    charged(0.2),
    ended("2-1", "finished"),
    { type: "loop.completed", confidence: "verified", why: [], changed: null },
  );

  expect(rows).toMatchObject([
    { iteration: 1, step: "parse", status: "continued", cost: 0.1, tokens: 10, said: "words of 1-1" },
    { iteration: 2, step: null, status: "completed", cost: 0.2, said: "words of 2-1" },
  ]);
});

test("attempts that came to nothing belong to their iteration, over a pause too", () => {
  const rows = rowsOf(
    launched("1-1", 1),
    charged(0.1),
    ended("1-1", "transient"),
    paused,
    launched("1-2", 1),
    charged(0.2),
    ended("1-2", "finished"),
    paused,
  );

  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ iteration: 1, status: "paused", reason: "budget" });
  expect(rows[0]?.cost).toBeCloseTo(0.3, 12);
});

test("an iteration that was ended at the budget was judged, and has a row", () => {
  const rows = rowsOf(launched("1-1", 1), charged(0.1), ended("1-1", "budget"), paused);

  expect(rows).toMatchObject([{ iteration: 1, status: "paused", reason: "budget", said: "words of 1-1" }]);
});

test("levels of a nested loop do not share a row, though each counts from 1", () => {
  const popped: LoopEvent = { type: "frame.popped", outcome: "satisfied" };
  const rows = rowsOf(
    launched("1.1-1", 1),
    charged(0.1),
    ended("1.1-1", "finished"),
    popped,
    launched("1-1", 1),
    charged(0.2),
    ended("1-1", "finished"),
    { type: "loop.completed", confidence: "verified", why: [], changed: null },
  );

  expect(rows).toMatchObject([
    { iteration: 1, status: "continued", cost: 0.1, said: "words of 1.1-1" },
    { iteration: 1, status: "completed", cost: 0.2, said: "words of 1-1" },
  ]);
});

test("what a host's session spends between is no iteration's", () => {
  expect(rowsOf(charged(5), launched("1-1", 1), ended("1-1", "finished"), held(2))).toMatchObject([
    { cost: 0 },
  ]);
});

test("an iteration that was begun and is not over is told with why it stands still", () => {
  const rowOf = (...events: readonly LoopEvent[]): IterationRow | null => {
    const fold = iterationRows("a-loop");
    for (const [index, event] of events.entries()) fold.take(event, index * 1000);
    return fold.unfinished();
  };
  const cutOff = [launched("1-1", 1), charged(1), ended("1-1", "unknown")] as const;
  expect(rowOf(...cutOff, paused)).toMatchObject({ status: "paused", reason: "budget", cost: 1 });
  const cancelled: LoopEvent = { type: "loop.cancelled", by: "person" };
  expect(rowOf(launched("1-1", 1), cancelled, charged(1), ended("1-1", "interrupted"))).toMatchObject({
    status: "interrupted",
    reason: "cancelled",
    cost: 1,
  });
  const bound: LoopEvent = {
    type: "session.bound",
    binding: { session: sessionId("s"), host: "claude-code" },
  };
  expect(rowOf(...cutOff, bound)).toMatchObject({ status: "interrupted", reason: "taken by a session" });
  expect(rowOf(...cutOff, paused, launched("1-2", 1), ended("1-2", "finished"), held(2))).toBeNull();
});

test("a figure that nobody told is not told as 0", () => {
  const untold: LoopEvent = { type: "cost.charged", usd: 0, tokens: 0, priced: false, turn: "1-1" };
  const [row] = rowsOf(launched("1-1", 1), untold, ended("1-1", "finished"), held(2));
  expect(row?.cost).toBeNull();
});

test("a session that takes the loop pays for itself", () => {
  const bound: LoopEvent = {
    type: "session.bound",
    binding: { session: sessionId("s"), host: "claude-code" },
  };
  const ofSession: LoopEvent = { type: "cost.charged", usd: 7, tokens: 10, priced: true };
  const rows = rowsOf(launched("1-1", 1), charged(1), ended("1-1", "interrupted"), bound, ofSession, held(2));
  expect(rows).toMatchObject([{ status: "interrupted", reason: "taken by a session", cost: 1 }]);
});

const billed = (usd: number): LoopEvent => ({ type: "cost.charged", usd, tokens: usd * 100, priced: true });

function attemptsIn(...events: readonly LoopEvent[]): readonly string[] {
  const plan = adopted([planned("T-1"), planned("T-2")]);
  const timed = [plan, ...events].map((event, at) => ({ event, at: START + at }));
  return attemptRows("a-plan-a1b2", timed).map(
    ({ iteration, task, attempt, status, reason, cost }) =>
      `${iteration} ${task}-${attempt} ${status} ${reason ?? "-"} $${cost ?? "?"}`,
  );
}

test("a row an attempt: what became of it, and what it cost", () => {
  expect(
    attemptsIn(
      started("T-1"),
      started("T-2"),
      failed("T-1"),
      billed(1),
      finished("T-2"),
      billed(2),
      mergeBegun(1, "T-2"),
      { ...merged(1), setBack: [{ task: "T-2", setback: setback({ kind: "red-together" }) }] },
      started("T-1", 2),
      finished("T-1", 2),
      billed(4),
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
  const rows = attemptsIn(started("T-1"), failed("T-1"), billed(0.1 + 0.2), givenUp);
  expect(rows).toEqual(["1 T-1-1 interrupted given up $0.3"]);
});

test("a charge that follows something else belongs to no attempt", () => {
  expect(attemptsIn(started("T-1"), finished("T-1"), billed(1), billed(9))).toEqual([
    "1 T-1-1 interrupted not merged $1",
  ]);
});
