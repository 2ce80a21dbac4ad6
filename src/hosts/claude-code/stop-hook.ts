import type { HostStop } from "../host-event.ts";
import type { Payload } from "../payload.ts";
import { textOf } from "../payload.ts";
import { backgroundWork } from "./background-work.ts";

/** Claude Code's Stop input as what the decision needs to know. */
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
  // Only inside a subagent; then it is that one's stop, whatever the event is called.
  if (textOf(payload, "agent_id") !== null) return "subagent";
  return payload["permission_mode"] === "plan" ? "plan-mode" : "end-of-turn";
}

const DEFAULT_HOLD_CAP = 8;

/** Claude Code ignores a hold after so many text-only answers in a row, and ends the turn; 0 switches that off. */
function holdCap(env: NodeJS.ProcessEnv): number | null {
  const set = env["CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"];
  const cap = set === undefined || !/^\d+$/.test(set) ? DEFAULT_HOLD_CAP : Number(set);
  return cap === 0 ? null : cap;
}

/** A host that does not say that a person is there is taken to be alone: the work goes on. */
function isAttended(env: NodeJS.ProcessEnv): boolean {
  return env["CLAUDE_CODE_SESSION_ATTENDED"] === "1" && env["LOOP_HEADLESS"] !== "true";
}
