import { fieldsOf, textOf, type Payload } from "../payload.ts";
import type { HostDescription } from "./description.ts";
import { rowsTranscript, timeIn, usageOf } from "./rows-transcript.ts";

const transcript = rowsTranscript({
  said: (row) =>
    row["type"] === "assistant.message" ? (textOf(fieldsOf(row, "data"), "content") ?? "") : null,
  isTold: (row) => row["type"] === "user.message" || row["type"] === "tool.execution_complete",
  usage(row) {
    if (row["type"] !== "session.usage_record") return null;
    const counts = fieldsOf(fieldsOf(row, "data"), "usage");
    const usage = usageOf({
      input: counts["inputTokens"],
      output: counts["outputTokens"],
      cacheRead: counts["cacheReadTokens"],
      cacheWrite: counts["cacheWriteTokens"],
      isCachePartOfInput: true,
    });
    return {
      message: textOf(row, "id") ?? "",
      request: "",
      at: timeIn(row),
      model: textOf(counts, "model") ?? "",
      usage,
    };
  },
});

/** The ninth hold of a prompt is ignored, whatever the agent does in between. */
const MOST_HOLDS = 8;

export const copilot: HostDescription = {
  id: "copilot",
  title: "Copilot CLI",
  programs: ["copilot"],
  packages: ["copilot"],
  marks: [{ mark: "COPILOT_CLI", session: "COPILOT_AGENT_SESSION_ID" }],
  recognises,
  messageInTranscript: true,
  transcript,
  planModes: ["plan"],
  promptCap: () => ({ most: MOST_HOLDS, raise: null }),
  hold: "decision",
  context: "top",
  install: {
    folder: ".copilot",
    variable: "COPILOT_HOME",
    projectFolder: ".github",
    hooks: {
      form: "own-file",
      file: "hooks/loop.json",
      events: {
        Stop: "stop",
        SessionStart: "session-start",
        SessionEnd: "session-end",
        UserPromptSubmit: "user-prompt-submit",
      },
    },
    skills: "skills",
    notices: [
      "Copilot CLI ignores the 9th hold of a prompt, so the loop pauses after 8; loop:continue resumes it.",
    ],
  },
};

/** No other host sends the time without a transcript, or keeps one under that name. It also loads what is meant for Claude Code. */
function recognises(payload: Payload): boolean {
  const session = textOf(payload, "session_id");
  if (session === null || textOf(payload, "timestamp") === null) return false;
  const path = textOf(payload, "transcript_path");
  if (path === null) return payload["transcript_path"] === undefined;
  return path.split(/[\\/]/).slice(-2).join("/") === `${session}/events.jsonl`;
}
