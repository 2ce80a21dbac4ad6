import { parseSessionId } from "../../../core/loop/id.ts";
import type { HookInput, HostEvent } from "../host-event.ts";
import type { Payload } from "../payload.ts";
import { textOf } from "../payload.ts";
import { readStopFailure } from "./stop-failure.ts";
import { readStop } from "./stop-hook.ts";
import { readToolUse } from "./tool-use.ts";
import { readTypedCommand } from "./typed-command.ts";

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
      return { type: "session-started" };
    case "user-prompt-submit":
      return {
        type: "prompted",
        typed: readTypedCommand(payload),
        promptId: textOf(payload, "prompt_id"),
      };
    case "user-prompt-expansion": {
      const typed = readTypedCommand(payload);
      if (typed === null) return { type: "other" };
      return { type: "typed", typed, promptId: textOf(payload, "prompt_id") };
    }
    case "post-tool-use":
    case "post-tool-use-failure":
      return { type: "tool-used", use: readToolUse(payload) };
    case "pre-compact":
      return { type: "compacting" };
    default:
      return { type: "other" };
  }
}
