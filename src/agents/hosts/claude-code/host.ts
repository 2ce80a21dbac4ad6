import type { Host } from "../host.ts";
import { COMMAND_PREFIX, isAttended, readHook } from "./read-hook.ts";
import { CLAUDE_CODE_TRANSCRIPT } from "./transcript.ts";
import { textOf, fieldsOf, listOf, type Payload } from "../payload.ts";
import { SILENCE, answerWith, type HookAnswer, type HostReply } from "../reply.ts";

export const claudeCode: Host = {
  id: "claude-code",
  title: "Claude Code",
  marks: [{ mark: "CLAUDECODE", session: "CLAUDE_CODE_SESSION_ID", hooksOnly: "CLAUDE_PROJECT_DIR" }],
  programs: ["claude"],
  packages: ["claude-code"],
  commandPrefix: COMMAND_PREFIX,
  expandsCommands: true,
  isMessageInTranscript: false,
  reportsTools: true,
  transcript: CLAUDE_CODE_TRANSCRIPT,
  isAttended,
  isToolWriting,
  recognises,
  read: readHook,
  silencesHooks,
  render,
};

/** Other hosts copy its payload, but not the place of its conversations: `projects/FOLDER/SESSION.jsonl`. */
function recognises(payload: Payload): boolean {
  const [project, , file] = (textOf(payload, "transcript_path") ?? "").split(/[\\/]/).slice(-3);
  return project === "projects" && file === `${textOf(payload, "session_id")}.jsonl`;
}

function render(reply: HostReply): HookAnswer {
  switch (reply.type) {
    case "silence":
      return SILENCE;
    case "hold":
      return answerWith({ decision: "block", reason: reply.reason });
    case "message":
      return answerWith({ systemMessage: reply.text });
    case "permission":
      return answerWith({
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: reply.decision,
          permissionDecisionReason: reply.why,
        },
      });
    case "consent":
      return answerWith({
        hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } },
      });
    case "announcement":
      return answerWith({
        ...(reply.toUser === null ? {} : { systemMessage: reply.toUser }),
        hookSpecificOutput: {
          hookEventName: reply.at === "prompt" ? "UserPromptSubmit" : "SessionStart",
          additionalContext: reply.text,
        },
      });
  }
}

/** All hooks, or the plugin that brings ours. */
function silencesHooks(settings: string): boolean {
  const parts = parsed(settings.replace(/^\uFEFF/, ""));
  const plugins = Object.entries(fieldsOf(parts, "enabledPlugins"));
  return (
    parts["disableAllHooks"] === true ||
    plugins.some(([name, on]) => name.startsWith("loop@") && on === false)
  );
}

/** What precedes a file name in a shell line that writes the file. */
const WRITING = String.raw`(?:>|\btee\b|\bmv\b|\bcp\b|\bsed\s+-i|\bwrite|\bopen\()[^\n]{0,300}`;

/** Whether a row of the transcript shows the agent writing this file, with a tool or in a shell. Reading doesn't count. */
function isToolWriting(line: string, name: string): boolean {
  if (!line.includes('"tool_use"')) return false;
  const message = fieldsOf(parsed(line), "message");
  return listOf(message, "content").some((part) => {
    if (part["type"] !== "tool_use") return false;
    const input = fieldsOf(part, "input");
    if (textOf(part, "name") === "Bash")
      return new RegExp(WRITING + escaped(name)).test(textOf(input, "command") ?? "");
    return (
      ["Write", "Edit", "MultiEdit"].includes(textOf(part, "name") ?? "") &&
      (textOf(input, "file_path") ?? "").endsWith(name)
    );
  });
}

function parsed(line: string): Payload {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Payload) : {};
  } catch {
    return {};
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
