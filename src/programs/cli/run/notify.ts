import { spawnSync } from "node:child_process";
import type { UsedConfig } from "../../../engine/opening/config-plan.ts";
import type { Loop } from "../../../core/loop/loop.ts";
import type { Context } from "../context.ts";

/** A failed notification must not keep a run from ending. */
const TIME_LIMIT_MS = 10_000;
const BELL = "\u0007";

/** A command of the user's, and where it runs. */
export interface Notification {
  readonly command: string;
  readonly folder: string;
}

/** A flag's command runs where it was typed, a config's where the config is. */
export function notificationOf(
  { cwd }: Pick<Context["machine"], "cwd">,
  flag: string | undefined,
  { config, path }: Pick<UsedConfig, "config" | "path">,
): Notification | null {
  if (flag !== undefined) return { command: flag, folder: cwd };
  return config?.notify === undefined || path === null ? null : { command: config.notify, folder: path };
}

/**
 * Tells a person who is looking elsewhere that a run paused or ended: rings the terminal's bell and runs their own command.
 * The command's environment holds only fixed words and an id, never text from a model.
 */
export function notify({ machine, terminal }: Context, notification: Notification | null, loop: Loop): void {
  if (terminal.isInteractive) terminal.complainAsIs(BELL);
  if (notification === null) return;
  const { status, signal, error } = spawnSync("/bin/sh", ["-c", notification.command], {
    cwd: notification.folder,
    env: {
      ...machine.env,
      LOOP_ID: loop.id,
      LOOP_PHASE: loop.phase,
      LOOP_REASON: reasonOf(loop),
    },
    stdio: "ignore",
    timeout: TIME_LIMIT_MS,
    killSignal: "SIGKILL",
  });
  if (status === 0) return;
  const limit = `it did not end within ${TIME_LIMIT_MS / 1000} s`;
  const why = error === undefined ? `exit code ${status ?? signal}` : limit;
  terminal.complain(`loop: The --notify command failed: ${why}.`);
}

function reasonOf(loop: Loop): string {
  switch (loop.phase) {
    case "paused":
      return loop.reason;
    case "completed":
      return loop.confidence;
    case "active":
    case "cancelled":
      return "";
  }
}
