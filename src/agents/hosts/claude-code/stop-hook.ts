import type { HostStop } from "../host-event.ts";
import type { Payload } from "../payload.ts";
import { textOf } from "../payload.ts";
import { backgroundWork } from "./background-work.ts";

/** Turns Claude Code's Stop input into what the decision needs. */
export function readStop(payload: Payload, env: NodeJS.ProcessEnv): HostStop {
  return {
    type: "stopped",
    kind: stopKind(payload),
    message: textOf(payload, "last_assistant_message"),
    background: backgroundWork(payload),
    continuesHold: payload["stop_hook_active"] === true,
    personPresent: isAttended(env),
    holdCap: holdCap(env),
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

/** Unless the host says that a person is present, the work continues. */
function isAttended(env: NodeJS.ProcessEnv): boolean {
  return env["CLAUDE_CODE_SESSION_ATTENDED"] === "1" && env["LOOP_HEADLESS"] !== "true";
}
