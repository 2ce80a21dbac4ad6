import { parseSessionId } from "../../../core/loop/id.ts";
import type { HookInput, HostEvent, HostStop, ApiTrouble, ToolUse, TypedCommand } from "../host-event.ts";
import { textOf, listOf, fieldsOf, type Payload } from "../payload.ts";
import type { BackgroundWork } from "../background-work.ts";
import { commandIn, isDeclining } from "../typed-command.ts";
import { errorSignature } from "../../../core/stop/error-signature.ts";

export const COMMAND_PREFIX = "/loop:";

/** What Claude Code sends to a hook. */
export function readHook(event: string, payload: Payload, env: NodeJS.ProcessEnv): HookInput {
  return {
    session: parseSessionId(payload["session_id"]),
    folder: textOf(payload, "cwd"),
    transcriptPath: textOf(payload, "transcript_path"),
    event: readEvent(event, payload, env),
  };
}

function readEvent(event: string, payload: Payload, env: NodeJS.ProcessEnv): HostEvent {
  switch (event) {
    case "stop":
      return readStop(payload, env);
    case "stop-failure":
      return { type: "troubled", trouble: readStopFailure(payload) };
    case "session-start":
      return { type: "session-started", envFile: null };
    case "session-end":
      return { type: "session-ended" };
    case "user-prompt-submit":
      return {
        type: "prompted",
        text: textOf(payload, "prompt"),
        typed: readTypedCommand(payload),
        declines: isDeclining(textOf(payload, "prompt") ?? ""),
        promptId: textOf(payload, "prompt_id"),
      };
    case "user-prompt-expansion": {
      const typed = readTypedCommand(payload);
      if (typed === null) return { type: "other" };
      return { type: "typed", typed, promptId: textOf(payload, "prompt_id") };
    }
    case "pre-tool-use":
      return {
        type: "shell-asked",
        line: textOf(fieldsOf(payload, "tool_input"), "command") ?? "",
        personPresent: isAttended(env),
        isSubagent: textOf(payload, "agent_id") !== null,
      };
    case "permission-request":
      return { type: "user-to-be-asked", line: textOf(fieldsOf(payload, "tool_input"), "command") ?? "" };
    case "post-tool-use":
    case "post-tool-use-failure":
      return { type: "tool-used", use: readToolUse(payload) };
    case "config-change":
      return { type: "settings-changed", file: textOf(payload, "file_path") };
    case "pre-compact":
      return { type: "compacting" };
    default:
      return { type: "other" };
  }
}

/** Turns Claude Code's Stop input into what the decision needs. */
function readStop(payload: Payload, env: NodeJS.ProcessEnv): HostStop {
  return {
    type: "stopped",
    kind: stopKind(payload),
    message: textOf(payload, "last_assistant_message"),
    background: backgroundWork(payload),
    continuesHold: payload["stop_hook_active"] === true,
    personPresent: isAttended(env),
    holdCap: holdCap(env),
    promptCap: null,
  };
}

function stopKind(payload: Payload): HostStop["kind"] {
  // Only set inside a subagent: then this is the subagent's stop, whatever the event is called.
  if (textOf(payload, "agent_id") !== null) return "subagent";
  return payload["permission_mode"] === "plan" ? "plan-mode" : "end-of-turn";
}

const DEFAULT_HOLD_CAP = 8;

/** Claude Code ignores a hold after this many text-only answers in a row and ends the turn; 0 switches that off. */
function holdCap(env: NodeJS.ProcessEnv): number | null {
  const set = env["CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"];
  const cap = set === undefined || !/^\d+$/.test(set) ? DEFAULT_HOLD_CAP : Number(set);
  return cap === 0 ? null : cap;
}

/** Unless the host says that a person is present, the work continues. Versions that don't say it tell how they were started. */
export function isAttended(env: NodeJS.ProcessEnv): boolean {
  if (env["LOOP_HEADLESS"] === "true") return false;
  const said = env["CLAUDE_CODE_SESSION_ATTENDED"];
  return said === undefined ? env["CLAUDE_CODE_ENTRYPOINT"] === "cli" : said === "1";
}

/** Subagents always count; recurring wake-ups come anyway. */
function backgroundWork(payload: Payload): BackgroundWork {
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

/** The client's error codes that need a person. */
export const NEEDS_PERSON = new Set([
  "authentication_failed",
  "oauth_org_not_allowed",
  "account_on_hold",
  "verification_required",
  "billing_error",
  "model_not_found",
  "cloud_credential_error",
]);

/** The event also comes for subagents and helper calls, and nobody waits for it, so it pauses only when it must. */
function readStopFailure(payload: Payload): ApiTrouble {
  const error = textOf(payload, "error") ?? "unknown";
  const message = textOf(payload, "last_assistant_message") ?? textOf(payload, "error_details");
  if (textOf(payload, "agent_id") !== null) return { type: "passing", what: "subagent" };
  if (error === "rate_limit") return { type: "usage-limit", detail: message };
  if (NEEDS_PERSON.has(error)) return { type: "needs-person", detail: message ?? error };
  return { type: "passing", what: error };
}

const EDITORS = new Set(["Edit", "Write", "MultiEdit", "NotebookEdit"]);

function readToolUse(payload: Payload): ToolUse {
  const tool = textOf(payload, "tool_name") ?? "unknown";
  const fields = fieldsOf(payload, "tool_input");
  const error = textOf(payload, "error");
  if (error !== null) return { type: "failed", failure: errorSignature(tool, error) };
  const path = textOf(fields, "file_path") ?? textOf(fields, "notebook_path");
  return EDITORS.has(tool) && path !== null ? { type: "edited", path } : { type: "used", tool };
}

/** Sources of a prompt that the user didn't type. */
const NOT_TYPED = new Set(["system", "loop_wakeup", "schedule_wakeup", "poll_event"]);

/** The host reports a typed command twice: when it expands it, and as the prompt itself. Either will do. */
function readTypedCommand(payload: Payload): TypedCommand | null {
  if (textOf(payload, "agent_id") !== null || NOT_TYPED.has(textOf(payload, "source") ?? "")) return null;
  const expanded = /^loop:([a-z]+)$/.exec(textOf(payload, "command_name") ?? "")?.[1];
  if (expanded !== undefined && payload["expansion_type"] === "slash_command") {
    return { command: expanded, args: (textOf(payload, "command_args") ?? "").trim() };
  }
  return commandIn(textOf(payload, "prompt") ?? "", COMMAND_PREFIX);
}
