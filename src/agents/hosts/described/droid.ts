import { fieldsOf, listOf, textOf, type Payload } from "../payload.ts";
import type { HostDescription } from "./description.ts";
import { rowsTranscript } from "./rows-transcript.ts";

/** Its rows have no counts of tokens. */
const transcript = rowsTranscript({
  said(row) {
    const message = fieldsOf(row, "message");
    if (row["type"] !== "message" || message["role"] !== "assistant") return null;
    return listOf(message, "content")
      .map((part) => textOf(part, "text") ?? "")
      .join("\n");
  },
  // Rows of hooks are the user's, too, and have nothing in them.
  isTold(row) {
    const message = fieldsOf(row, "message");
    return row["type"] === "message" && message["role"] === "user" && listOf(message, "content").length > 0;
  },
  usage: () => null,
});

export const droid: HostDescription = {
  id: "droid",
  title: "Droid",
  programs: ["droid"],
  packages: [],
  marks: [],
  recognises,
  envFileIn(payload) {
    const path = textOf(payload, "CLAUDE_ENV_FILE");
    return path !== null && /[\\/]droid-env-[^\\/]+\.sh$/.test(path) ? path : null;
  },
  messageInTranscript: true,
  transcript,
  planModes: ["spec"],
  promptCap: () => null,
  hold: "decision",
  context: "nested",
  install: {
    folder: ".factory",
    projectFolder: ".factory",
    hooks: {
      form: "groups",
      file: "settings.json",
      unit: "s",
      events: {
        Stop: "stop",
        SessionStart: "session-start",
        SessionEnd: "session-end",
        UserPromptSubmit: "user-prompt-submit",
      },
    },
    skills: "skills",
    notices: [],
  },
};

function recognises(payload: Payload): boolean {
  const session = textOf(payload, "session_id");
  const [sessions, , file] = (textOf(payload, "transcript_path") ?? "").split(/[\\/]/).slice(-3);
  return session !== null && sessions === "sessions" && file === `${session}.jsonl`;
}
