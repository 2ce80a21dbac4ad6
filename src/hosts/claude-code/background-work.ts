import type { Payload } from "./payload.ts";
import { listOf, textOf } from "./payload.ts";

export interface BackgroundWork {
  /** The session only waits: something will wake it up. */
  readonly isWaiting: boolean;
  /** Ids of the shells that run now, to be known at the next stop. */
  readonly shells: readonly string[];
}

/**
 * Whether a stop is only a pause in the work. Subagents always count. A shell counts once: one that already
 * ran at the last stop is a server or a watcher, and would keep the loop from ever being asked. Recurring
 * wake-ups come anyway.
 */
export function backgroundWork(payload: Payload, shellsBefore: readonly string[]): BackgroundWork {
  const running = listOf(payload, "background_tasks").filter((task) => textOf(task, "status") === "running");
  const shells = running.filter(isShell).map((task) => textOf(task, "id") ?? "");
  const isNewShell = shells.some((id) => !shellsBefore.includes(id));
  const isOther = running.some((task) => !isShell(task));
  const isWakeUp = listOf(payload, "session_crons").some((cron) => cron["recurring"] !== true);
  return { isWaiting: isNewShell || isOther || isWakeUp, shells };
}

function isShell(task: Payload): boolean {
  const type = textOf(task, "type") ?? "";
  return /shell|bash/i.test(type);
}
