import type { Loop } from "../../core/loop.ts";
import { isDriven } from "../../core/loop.ts";
import { driverOf, parseDriverId } from "../../run/agents.ts";
import { isDrivenNow } from "../../loops/living-driver.ts";

/** Of an abandoned loop, and what to do about it. */
export const RUN_IS_GONE = "its run is gone: loop continue";

/** What people call whoever works on the loop; null when nobody does. */
export function agentOf(loop: Loop): string | null {
  if (!isDriven(loop)) return loop.binding?.host ?? null;
  const driver = parseDriverId(loop.driven.driver);
  return driver === null ? loop.driven.driver : driverOf({ driver, command: null, script: null }, "").title;
}

/** A run drove it and is gone, without having paused it. */
export function isAbandoned(loop: Loop): boolean {
  return loop.phase === "active" && isDriven(loop) && !isDrivenNow(loop);
}
