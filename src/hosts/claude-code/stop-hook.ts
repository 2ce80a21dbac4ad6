import { parseSessionId } from "../../core/id.ts";
import type { StopKind, StopRequest } from "../../core/stop/facts.ts";
import { whatWasSaid } from "../what-was-said.ts";
import type { BackgroundWork } from "./background-work.ts";
import type { Payload } from "./payload.ts";
import { textOf } from "./payload.ts";

/** Claude Code's Stop input as what the decision needs to know. */
export async function readStop(
  payload: Payload,
  env: NodeJS.ProcessEnv,
  background: BackgroundWork,
): Promise<Omit<StopRequest, "toolUses" | "edits">> {
  const message = textOf(payload, "last_assistant_message");
  return {
    session: parseSessionId(payload["session_id"]),
    stop: stopKind(payload, background),
    continuesHold: payload["stop_hook_active"] === true,
    personPresent: isAttended(env),
    holdCap: holdCap(env),
    said: await whatWasSaid(message),
  };
}

function stopKind(payload: Payload, background: BackgroundWork): StopKind {
  // Only inside a subagent; then it is that one's stop, whatever the event is called.
  if (textOf(payload, "agent_id") !== null) return "subagent";
  if (payload["permission_mode"] === "plan") return "plan-mode";
  return background.isWaiting ? "background-work" : "end-of-turn";
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
