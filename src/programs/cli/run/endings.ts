import { INTERRUPTED } from "../ending-process.ts";
import { isWorkflow, topFrame, type Loop } from "../../../core/loop/loop.ts";
import { confidenceText } from "../../../views/completion.ts";
import { asksFirst } from "../../../core/questions/intent/model-scores.ts";
import type { SpecScore } from "../../../core/spec/score.ts";
import { printable } from "../../../system/text/plain-text.ts";
import type { Context } from "../context.ts";
import type { Unclear } from "../../../engine/opening/clear-spec.ts";
import type { Notification } from "../../../engine/run/agent-choice.ts";
import { lastNotification, rememberNotification } from "../../../engine/run/agent-choice.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import { spawnSync } from "node:child_process";
import type { UsedConfig } from "../../../engine/opening/config-plan.ts";

export const TOO_VAGUE = 5;
const NOT_SURE = 6;

/**
 * The exit code of a run: 0 completed, verified and committed where that was asked for, 1 ended otherwise, 2 budget, 3 iterations, 4 any other pause, 6 finished but
 * weak or unverified. `acceptsWeak`: 6 becomes 0.
 */
export function exitCodeOf(loop: Loop, wasInterrupted: boolean, acceptsWeak: boolean): number {
  switch (loop.phase) {
    case "completed":
      if (loop.confidence !== "verified" && !acceptsWeak) return NOT_SURE;
      return isCommitMissing(loop) ? 1 : 0;
    case "cancelled":
      return 1;
    case "active":
      // A session took it over.
      return wasInterrupted ? INTERRUPTED : 4;
    case "paused":
      if (wasInterrupted && loop.reason === "user") return INTERRUPTED;
      return loop.reason === "budget" ? 2 : loop.reason === "iterations" ? 3 : 4;
  }
}

/** A script that goes on with the commit must not think that there is one. */
function isCommitMissing({ commit }: Loop): boolean {
  return commit !== undefined && (commit.made === null || commit.made.why !== null);
}

/** Why a finished run still doesn't count as a success; null if it does. */
export function whyNotSure(loop: Loop, acceptsWeak: boolean): string | null {
  if (loop.phase !== "completed" || exitCodeOf(loop, false, acceptsWeak) !== NOT_SURE) return null;
  return `Finished, but ${confidenceText(loop)}; to count that as a success: --accept weak`;
}

/** Says why nothing runs, and which questions to answer; for scripts on a line of its own, too. */
function refuse(
  { terminal, endWith }: Context,
  why: string,
  { total, questions }: Pick<SpecScore, "total" | "questions">,
  { json = false }: { readonly json?: boolean | undefined },
): null {
  terminal.complain(`loop: ${why}`);
  for (const question of questions) terminal.complain(`  ? ${printable(question)}`);
  if (json) terminal.print(JSON.stringify({ type: "too-vague", total, questions }));
  endWith(TOO_VAGUE);
  return null;
}

/** Says why nothing was opened. `anyway`: how to do without answers. */
export function tellUnclear(
  context: Context,
  unclear: Unclear,
  { json, anyway }: { readonly json?: boolean | undefined; readonly anyway: string },
): null {
  if (unclear.type === "vague") {
    const refused = refuse(context, unclear.why, unclear.score, { json });
    for (const line of unclear.tests) context.terminal.complain(line);
    return refused;
  }
  context.terminal.complain(`loop: ${anyway}`);
  context.endWith(TOO_VAGUE);
  return null;
}

/** Opened by a command that refuses nothing, and still without a check. A loop that was driven before is allowed. */
export function isTooVague(loop: Loop): boolean {
  return (
    asksFirst(loop.shape) &&
    !isWorkflow(loop) &&
    loop.driven === null &&
    topFrame(loop).criteria.every(({ check }) => check === null)
  );
}

/** The spec of an open loop cannot change, so answers need a new loop. */
export function refuseLoop(context: Context, { id, score }: Loop, flags: { readonly json?: boolean }): null {
  return refuse(
    context,
    `The loop ${id} was opened with a spec that is too vague to run (${score.total}/10) and cannot change; add a check with loop criteria add NAME --check COMMAND --loop ${id}, or end it with loop cancel --loop ${id} and run a spec that answers these:`,
    score,
    flags,
  );
}

/** A failed notification must not keep a run from ending. */
const TIME_LIMIT_MS = 10_000;
const BELL = "\u0007";

/** A flag's command runs where it was typed, a config's where the config is. A flag counts until another one is given. */
export function notificationOf(
  { cwd, home }: Pick<Context["machine"], "cwd" | "home">,
  { id, live: { project } }: KnownLoop,
  flag: string | undefined,
  { config, path }: Pick<UsedConfig, "config" | "path">,
): Notification | null {
  if (flag !== undefined) {
    const given = { command: flag, folder: cwd };
    rememberNotification(home, project.root, id, given);
    return given;
  }
  const kept = lastNotification(home, project.root, id);
  if (kept !== null) return kept;
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
