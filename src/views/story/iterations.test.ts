import { expect, test } from "vitest";
import type { LoopEvent } from "../../core/events/event.ts";
import { cutOff } from "../standing.ts";
import { isFalseClaim, isUncheckedClaim, Iterations } from "./iterations.ts";

test("a claim that nothing checked is not checked, whatever else the iteration did", () => {
  const iterations = new Iterations(() => null);
  const events = [
    { type: "exit.signalled" },
    { type: "loop.paused", reason: "must-not", detail: "path:migrations/**: migrations/1.sql changed" },
  ] as unknown as readonly LoopEvent[];
  for (const event of events) iterations.take({ at: 1, event } as Parameters<Iterations["take"]>[0]);
  const [only] = iterations.list();
  expect(only?.contradiction?.by).toBe("must-not");
  expect(only !== undefined && [isFalseClaim(only), isUncheckedClaim(only)]).toEqual([false, true]);
});

const launched = { type: "turn.launched", iteration: 1, turn: "1-1", checkpoint: null };
const take = (iterations: Iterations, ...events: readonly object[]): void => {
  for (const [index, event] of events.entries())
    iterations.take({ at: index + 1, event } as unknown as Parameters<Iterations["take"]>[0]);
};

test("an iteration whose turn was cut off by a pause is not at work until the loop continues", () => {
  const iterations = new Iterations(() => null);
  take(iterations, launched, { type: "loop.paused", reason: "blocked", detail: "which one?" });
  expect(iterations.list()).toMatchObject([
    { verdict: "paused", reason: "blocked", endedAt: "1970-01-01T00:00:00.002Z" },
  ]);
  take(iterations, { type: "loop.continued" });
  expect(iterations.list()).toMatchObject([{ verdict: "at-work", reason: null, endedAt: null }]);
});

test("checks that run again without any work are no further iteration; in a session, where there are no turns, they are", () => {
  const done = { type: "loop.completed", confidence: "verified", why: [], changed: null };
  const approved = { type: "opening.approved", names: ["test/vat.test.js"] };
  const proof = { type: "proof.shown", name: null, proof: { kind: "repeat", result: "stands", files: [] } };
  const driven = new Iterations(() => null);
  const judged = { type: "turn.ended", outcome: "finished", said: "Done." };
  take(driven, launched, { type: "exit.signalled" }, judged, {
    type: "loop.paused",
    reason: "blocked",
    detail: null,
  });
  take(driven, approved, { type: "exit.signalled" }, proof, done);
  expect(driven.list().map(({ onlyChecked, iteration }) => [iteration, onlyChecked])).toEqual([
    [1, undefined],
    [1, true],
  ]);
  const inSession = new Iterations(() => null);
  take(inSession, launched, judged, { type: "iteration.held", iteration: 1 }, { type: "session.bound" });
  take(inSession, { type: "exit.signalled" }, proof, done);
  expect(inSession.list().map(({ onlyChecked }) => onlyChecked)).toEqual([undefined, undefined]);
});

test("what was open when its run was killed was cut off, and nothing before it", () => {
  const iterations = new Iterations(() => null);
  take(iterations, launched, { type: "iteration.held", iteration: 1 });
  take(iterations, { ...launched, iteration: 2, turn: "2-1" });
  const at = "2026-01-02T03:04:05.000Z";
  expect(cutOff(iterations.list(), at)).toMatchObject([
    { verdict: "held" },
    { verdict: "interrupted", endedAt: at },
  ]);
});

test("what a person checks while the loop is paused begins no iteration", () => {
  const evidence = { command: "true", passed: true, exitCode: 0, ending: "passed", outputTail: "", at: 1 };
  const checked = { type: "check.ran", name: "ok", evidence };
  const iterations = new Iterations(() => null);
  take(iterations, launched, { type: "turn.ended", outcome: "finished", said: "Done." }, checked);
  take(iterations, { type: "loop.paused", reason: "same-error", detail: null }, checked);
  take(iterations, { type: "proof.shown", name: "ok", proof: { kind: "repeat", result: "stands" } });
  expect(iterations.list()).toMatchObject([{ iteration: 1, verdict: "paused", checks: [{ name: "ok" }] }]);

  take(iterations, { type: "loop.continued" }, checked);
  expect(iterations.list()).toMatchObject([{ verdict: "paused" }, { verdict: "at-work" }]);
});
