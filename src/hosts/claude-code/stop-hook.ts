import { parseSessionId } from "../../core/id.ts";
import type { Loop } from "../../core/loop.ts";
import { claimsOfStatusBlock } from "../../core/status-block.ts";
import type { Said, StopKind, StopRequest } from "../../core/stop/facts.ts";
import { SAID_NOTHING } from "../../core/stop/facts.ts";
import type { Verdict } from "../../core/stop/verdict.ts";
import { completionTags } from "../../markdown/completion-tags.ts";
import { renderChecksRunning, renderHold } from "../../views/hold-text.ts";
import { oneLine, pausedText } from "../../views/loop-lines.ts";

type Payload = { readonly [key: string]: unknown };

/** Claude Code's Stop input as what the decision needs to know. */
export async function readStop(payload: Payload, env: NodeJS.ProcessEnv): Promise<StopRequest> {
  const message = payload["last_assistant_message"];
  return {
    session: parseSessionId(payload["session_id"]),
    stop: stopKind(payload),
    continuesHold: payload["stop_hook_active"] === true,
    personPresent: isAttended(env),
    said: typeof message === "string" ? await whatWasSaid(message) : SAID_NOTHING,
    toolUses: null,
    edits: [],
  };
}

async function whatWasSaid(message: string): Promise<Said> {
  return { claims: claimsOfStatusBlock(message), ...(await completionTags(message)) };
}

function stopKind(payload: Payload): StopKind {
  // Only inside a subagent; then it is that one's stop, whatever the event is called.
  if (typeof payload["agent_id"] === "string") return "subagent";
  if (payload["permission_mode"] === "plan") return "plan-mode";
  if (isWorkInBackground(payload)) return "background-work";
  return "end-of-turn";
}

/** With something still running, or a wake-up to come, the session is paused and not finished. */
function isWorkInBackground(payload: Payload): boolean {
  const tasks = listOf(payload["background_tasks"]);
  const wakeUps = listOf(payload["session_crons"]).filter((each) => each["recurring"] !== true);
  return tasks.some((task) => task["status"] === "running") || wakeUps.length > 0;
}

function listOf(value: unknown): readonly Payload[] {
  if (!Array.isArray(value)) return [];
  return value.filter((each): each is Payload => typeof each === "object" && each !== null);
}

/** A host that does not say that a person is there is taken to be alone: the work goes on. */
function isAttended(env: NodeJS.ProcessEnv): boolean {
  return env["CLAUDE_CODE_SESSION_ATTENDED"] === "1" && env["LOOP_HEADLESS"] !== "true";
}

/** What goes to standard output: one JSON object, or nothing at all. */
export function renderReply(verdict: Verdict, loop: Loop | null): string {
  if (verdict.type === "hold") {
    const reason =
      verdict.because === "unfinished" ? renderHold(verdict.reason) : renderChecksRunning(verdict.names);
    return JSON.stringify({ decision: "block", reason });
  }
  const message = messageFor(verdict, loop);
  return message === null ? "" : JSON.stringify({ systemMessage: message });
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
    case "paused":
      return loop?.phase === "paused" ? inClaudeCode(pausedText(loop)) : null;
    case "handed-back":
      return `[LOOP] Iteration ${verdict.iteration} is done; your next prompt goes on with the loop.`;
  }
}

function inClaudeCode(text: string): string {
  return text.replace("Resume: loop continue", "Resume: /loop:continue");
}
