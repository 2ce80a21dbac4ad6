import { parseSessionId } from "../../../core/loop/id.ts";
import { errorSignature } from "../../../core/stop/error-signature.ts";
import type { BackgroundWork } from "../background-work.ts";
import type { Host } from "../host.ts";
import type { HookInput, HostEvent, HostStop, ToolUse } from "../host-event.ts";
import { fieldsOf, listOf, textOf, type Payload } from "../payload.ts";
import { SILENCE, answerWith, type HookAnswer, type HostReply } from "../reply.ts";
import { isDeclining, TYPED_PREFIX, typedCommandIn } from "../typed-command.ts";
import type { HostDescription } from "./description.ts";

/** The host that a description is of. */
export function describedHost(description: HostDescription): Host {
  const { id, title, programs, packages, marks, transcript } = description;
  return {
    id,
    title,
    programs,
    packages,
    marks,
    transcript,
    commandPrefix: TYPED_PREFIX,
    expandsCommands: false,
    isMessageInTranscript: description.messageInTranscript === true,
    reportsTools: false,
    // These clients don't say whether a person is there, and the work continues unless one is known to be.
    isAttended: () => false,
    isToolWriting: () => false,
    recognises: (payload) => description.recognises(payload),
    read: (event, payload, env) => ({
      ...whereOf(payload),
      event: readEvent(description, event, payload, env),
    }),
    silencesHooks: () => false,
    render: (reply) => render(description, reply),
  };
}

function whereOf(payload: Payload): Omit<HookInput, "event"> {
  return {
    session: parseSessionId(payload["session_id"]),
    folder: textOf(payload, "cwd"),
    transcriptPath: textOf(payload, "transcript_path"),
  };
}

function readEvent(
  description: HostDescription,
  event: string,
  payload: Payload,
  env: NodeJS.ProcessEnv,
): HostEvent {
  switch (event) {
    case "stop":
      return readStop(description, payload, env);
    case "session-start":
      return { type: "session-started", envFile: description.envFileIn?.(payload) ?? null };
    case "session-end":
      return { type: "session-ended" };
    case "user-prompt-submit": {
      const text =
        description.typedIn === undefined ? textOf(payload, "prompt") : description.typedIn(payload);
      if (text === null) return { type: "other" };
      const promptId = textOf(payload, "prompt_id") ?? textOf(payload, "turn_id");
      return { type: "prompted", text, typed: typedCommandIn(text), declines: isDeclining(text), promptId };
    }
    case "post-tool-use":
      return { type: "tool-used", use: readToolUse(payload) };
    default:
      return { type: "other" };
  }
}

function readStop(description: HostDescription, payload: Payload, env: NodeJS.ProcessEnv): HostStop {
  const isPlanning = description.planModes.includes(textOf(payload, "permission_mode") ?? "");
  return {
    type: "stopped",
    kind: textOf(payload, "agent_id") !== null ? "subagent" : isPlanning ? "plan-mode" : "end-of-turn",
    message:
      description.messageIn === undefined
        ? textOf(payload, "last_assistant_message")
        : description.messageIn(payload),
    background: backgroundWork(payload),
    continuesHold: payload["stop_hook_active"] === true,
    personPresent: false,
    holdCap: null,
    promptCap: description.promptCap(env),
  };
}

/** Of the hosts that name such work, all use Claude Code's names. */
function backgroundWork(payload: Payload): BackgroundWork {
  const running = listOf(payload, "background_tasks").filter((task) => textOf(task, "status") === "running");
  const isShell = (task: Payload): boolean => /shell|bash/i.test(textOf(task, "type") ?? "");
  return {
    shells: running.filter(isShell).map((task) => textOf(task, "id") ?? ""),
    isAwaited: running.some((task) => !isShell(task)),
  };
}

function readToolUse(payload: Payload): ToolUse {
  const tool = textOf(payload, "tool_name") ?? "unknown";
  const error = textOf(payload, "error");
  if (error !== null) return { type: "failed", failure: errorSignature(tool, error) };
  const path = textOf(fieldsOf(payload, "tool_input"), "file_path");
  return path === null ? { type: "used", tool } : { type: "edited", path };
}

function render({ hold, context }: HostDescription, reply: HostReply): HookAnswer {
  switch (reply.type) {
    case "silence":
      return SILENCE;
    case "hold":
      if (hold === "exit2") return { ...SILENCE, stderr: reply.reason, exitCode: 2 };
      return answerWith({ decision: "block", reason: reply.reason });
    case "message":
      return answerWith({ systemMessage: reply.text });
    // Nobody is asked on behalf of these hosts: their own rules decide.
    case "permission":
    case "consent":
      return SILENCE;
    case "announcement": {
      const toUser = reply.toUser === null ? {} : { systemMessage: reply.toUser };
      if (context === "top") return answerWith({ ...toUser, additionalContext: reply.text });
      const hookEventName = reply.at === "prompt" ? "UserPromptSubmit" : "SessionStart";
      return answerWith({ ...toUser, hookSpecificOutput: { hookEventName, additionalContext: reply.text } });
    }
  }
}
