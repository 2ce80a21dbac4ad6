import type { BackgroundWork } from "../background-work.ts";
import type { Payload } from "../payload.ts";
import { listOf, textOf } from "../payload.ts";

/** Subagents always count; recurring wake-ups come anyway. */
export function backgroundWork(payload: Payload): BackgroundWork {
  const running = listOf(payload, "background_tasks").filter((task) => textOf(task, "status") === "running");
  const isWakeUp = listOf(payload, "session_crons").some((cron) => cron["recurring"] !== true);
  return {
    shells: running.filter(isShell).map((task) => textOf(task, "id") ?? ""),
    isAwaited: isWakeUp || running.some((task) => !isShell(task)),
  };
}

function isShell(task: Payload): boolean {
  const type = textOf(task, "type") ?? "";
  return /shell|bash/i.test(type);
}
