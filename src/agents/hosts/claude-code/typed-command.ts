import type { TypedCommand } from "../host-event.ts";
import type { Payload } from "../payload.ts";
import { textOf } from "../payload.ts";
import { commandIn } from "../typed-command.ts";

export const COMMAND_PREFIX = "/loop:";

/** Sources of a prompt that the user didn't type. */
const NOT_TYPED = new Set(["system", "loop_wakeup", "schedule_wakeup", "poll_event"]);

/** The host reports a typed command twice: when it expands it, and as the prompt itself. Either will do. */
export function readTypedCommand(payload: Payload): TypedCommand | null {
  if (textOf(payload, "agent_id") !== null || NOT_TYPED.has(textOf(payload, "source") ?? "")) return null;
  const expanded = /^loop:([a-z]+)$/.exec(textOf(payload, "command_name") ?? "")?.[1];
  if (expanded !== undefined && payload["expansion_type"] === "slash_command") {
    return { command: expanded, args: (textOf(payload, "command_args") ?? "").trim() };
  }
  return commandIn(textOf(payload, "prompt") ?? "", COMMAND_PREFIX);
}
