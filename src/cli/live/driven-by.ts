import type { Loop } from "../../core/loop.ts";
import { isDriven } from "../../core/loop.ts";
import { driverOf, parseDriverId } from "../../run/agents.ts";

/** Says that a loop is abandoned, and what to do. */
export const RUN_IS_GONE = "its run is gone: loop continue";

/** The display name of the agent at work on the loop; null when there is none. */
export function agentOf(loop: Loop): string | null {
  if (!isDriven(loop)) return loop.binding?.host ?? null;
  const driver = parseDriverId(loop.driven.driver);
  return driver === null ? loop.driven.driver : driverOf({ driver, command: null, script: null }, "").title;
}
