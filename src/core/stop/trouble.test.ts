import { expect, test } from "vitest";
import { recoveryFor, type Mendable } from "./trouble.ts";

const NOW = 1_000_000;

function trouble(kind: Exclude<Mendable["kind"], "usage-limit">): Mendable {
  return { kind, detail: "what happened" };
}

function limit(resetsAt: number | null): Mendable {
  return { kind: "usage-limit", detail: "limit", resetsAt };
}

test.each(["transient", "interrupted"] as const)("%s: tried once more, then paused", (kind) => {
  expect(recoveryFor(trouble(kind), { retries: 0, waits: 0, resumed: false }, NOW)).toMatchObject({
    type: "retry",
    anew: false,
  });
  expect(recoveryFor(trouble(kind), { retries: 1, waits: 0, resumed: false }, NOW)).toMatchObject({
    type: "pause",
    reason: "same-error",
  });
});

test("a lost conversation: a new one, whatever came before; a new one that is lost, paused", () => {
  const lost = trouble("lost-conversation");

  expect(recoveryFor(lost, { retries: 3, waits: 0, resumed: true }, NOW)).toMatchObject({
    type: "retry",
    anew: true,
  });
  expect(recoveryFor(lost, { retries: 0, waits: 0, resumed: false }, NOW)).toMatchObject({ type: "pause" });
});

test.each([
  ["blocking", "blocked"],
  ["unknown", "unknown-error"],
] as const)("%s: paused at once as %s", (kind, reason) => {
  expect(recoveryFor(trouble(kind), { retries: 0, waits: 0, resumed: false }, NOW)).toEqual({
    type: "pause",
    reason,
    detail: "what happened",
  });
});

test("a usage limit: waited for when its end is known, else paused", () => {
  expect(recoveryFor(limit(NOW + 60_000), { retries: 5, waits: 0, resumed: false }, NOW)).toEqual({
    type: "wait",
    until: NOW + 60_000,
  });
  expect(recoveryFor(limit(null), { retries: 0, waits: 0, resumed: false }, NOW)).toEqual({
    type: "pause",
    reason: "rate-limit",
    detail: "limit",
  });
});

test("a usage limit that is always just over is waited for longer each time, up to some minutes, and not for ever", () => {
  const waited = [0, 1, 2, 19, 20].map((waits) => {
    const remedy = recoveryFor(limit(NOW - 1), { retries: 0, waits, resumed: false }, NOW);
    return remedy.type === "wait" ? remedy.until - NOW : null;
  });

  expect(waited).toEqual([1_000, 2_000, 4_000, 256_000, null]);
});
