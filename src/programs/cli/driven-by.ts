import type { Loop } from "../../core/loop/loop.ts";
import { isDriven } from "../../core/loop/loop.ts";
import { driverOf, parseDriverId } from "../../engine/run/agent-choice.ts";

/** The display name of the agent at work on the loop; null when there is none. */
export function agentOf(loop: Loop): string | null {
  if (!isDriven(loop)) return loop.binding?.host ?? null;
  const driver = parseDriverId(loop.driven.driver);
  return driver === null ? loop.driven.driver : driverOf({ driver, command: null, script: null }, "").title;
}
