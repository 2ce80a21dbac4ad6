import { isMet, standardOf } from "../core/criterion.ts";
import type { Loop } from "../core/loop.ts";
import { topFrame } from "../core/loop.ts";
import type { Verdict } from "../core/stop/verdict.ts";
import { renderChecksRunning, renderHold, renderHoldLine } from "../views/hold-text.ts";
import { iterationLine, nextAction, pausedText } from "../views/loop-lines.ts";
import { oneLine } from "../text/plain-text.ts";

export const REPLY_FORMS = ["decision", "ok", "exit2"] as const;

/**
 * How a verdict is told: `decision` is what hosts of today read; `ok` and `exit2` are what older hooks of this
 * kind answered, for the tools that still read them.
 */
export type ReplyForm = (typeof REPLY_FORMS)[number];

export interface HookAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export const SILENCE: HookAnswer = { stdout: "", stderr: "", exitCode: 0 };

export function renderReply(verdict: Verdict, loop: Loop | null, form: ReplyForm): HookAnswer {
  if (verdict.type === "let-go") {
    if (form === "ok") return { ...SILENCE, stdout: JSON.stringify({ ok: true }) };
    return renderMessage(messageFor(verdict, loop), form);
  }
  const reason =
    verdict.because === "unfinished" ? renderHold(verdict.reason) : renderChecksRunning(verdict.names);
  const block = JSON.stringify({ decision: "block", reason });
  switch (form) {
    case "decision":
      return { ...SILENCE, stdout: block };
    case "ok": {
      const line =
        verdict.because === "unfinished"
          ? renderHoldLine(verdict.reason)
          : `next: wait for ${verdict.names.join(", ")}`;
      return { ...SILENCE, stdout: JSON.stringify({ ok: false, reason: line }) };
    }
    case "exit2":
      return { stdout: block, stderr: reason, exitCode: 2 };
  }
}

/** Something for the user and not for the model. */
export function renderMessage(message: string | null, form: ReplyForm): HookAnswer {
  if (form === "ok") return { ...SILENCE, stdout: JSON.stringify({ ok: true }) };
  if (message === null) return SILENCE;
  return form === "decision"
    ? { ...SILENCE, stdout: JSON.stringify({ systemMessage: message }) }
    : { ...SILENCE, stderr: message };
}

/** What is told at a session's start, to its user and to its model. */
export function renderAnnouncement(
  systemMessage: string | null,
  additionalContext: string | null,
): HookAnswer {
  if (additionalContext === null) return renderMessage(systemMessage, "decision");
  const told = { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext } };
  return {
    ...SILENCE,
    stdout: JSON.stringify(systemMessage === null ? told : { systemMessage, ...told }),
  };
}

function messageFor(verdict: Verdict & { type: "let-go" }, loop: Loop | null): string | null {
  switch (verdict.because) {
    case "disabled":
    case "no-loop":
    case "other-session":
    case "untrusted":
    case "ended":
    case "paused-before":
    case "not-an-end":
    case "completed":
    case "frame-popped":
      return null;
    case "deleted":
      return "[LOOP] The loop's folder was deleted, which cancels the loop.";
    case "aborted":
      return `[LOOP] Aborted, not held: ${oneLine(verdict.why, 300)}`;
    case "newer":
      return `[LOOP] Not held: ${oneLine(verdict.why, 300)}`;
    case "paused":
      return loop?.phase === "paused" ? pausedText(loop).replace("Resume: loop ", "Resume: /loop:") : null;
    case "handed-back":
      return loop === null ? null : handedBackText(loop);
  }
}

/** What a colleague says when it hands back: what was done, and what is next. */
function handedBackText(loop: Loop): string {
  const { criteria, steps } = topFrame(loop);
  const standard = standardOf(loop);
  const unmet = criteria.filter((each) => !isMet(each, standard)).map((each) => each.name);
  const done = steps.filter((step) => step.done).length;
  return [
    iterationLine(loop),
    `Progress: ${done} steps complete, ${steps.length - done} remaining; ${criteria.length - unmet.length} of ${criteria.length} criteria met`,
    `Next: ${nextAction(loop, unmet)}. Your next prompt goes on with the loop.`,
  ].join("\n");
}
