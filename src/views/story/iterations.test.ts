import { expect, test } from "vitest";
import type { LoopEvent } from "../../core/events/event.ts";
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
