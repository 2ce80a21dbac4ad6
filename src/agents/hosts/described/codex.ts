import { fieldsOf, listOf, textOf, type Payload } from "../payload.ts";
import type { HostDescription } from "./description.ts";
import { rowsTranscript, timeIn, usageOf } from "./rows-transcript.ts";

/** Its rows name a model only at the start of a turn, so the price is unknown: the highest one, marked as such. */
const transcript = rowsTranscript({
  said(row) {
    const payload = fieldsOf(row, "payload");
    if (payload["type"] !== "message" || payload["role"] !== "assistant") return null;
    return listOf(payload, "content")
      .map((part) => textOf(part, "text") ?? "")
      .join("\n");
  },
  isTold(row) {
    const payload = fieldsOf(row, "payload");
    return payload["role"] === "user" || (textOf(payload, "type") ?? "").endsWith("_output");
  },
  usage(row) {
    const payload = fieldsOf(row, "payload");
    if (payload["type"] !== "token_count") return null;
    const last = fieldsOf(fieldsOf(payload, "info"), "last_token_usage");
    const usage = usageOf({
      input: last["input_tokens"],
      output: last["output_tokens"],
      cacheRead: last["cached_input_tokens"],
      isCachePartOfInput: true,
    });
    return { message: textOf(row, "timestamp") ?? "", request: "", at: timeIn(row), model: "", usage };
  },
});

export const codex: HostDescription = {
  id: "codex",
  title: "Codex",
  programs: ["codex"],
  packages: ["codex"],
  marks: [
    { mark: "CODEX_SESSION_ID", session: "CODEX_SESSION_ID" },
    { mark: "CODEX_THREAD_ID", session: "CODEX_THREAD_ID" },
    { mark: "CODEX_SANDBOX" },
  ],
  recognises,
  transcript,
  planModes: ["plan"],
  promptCap: () => null,
  hold: "decision",
  context: "nested",
  install: {
    folder: ".codex",
    variable: "CODEX_HOME",
    projectFolder: ".codex",
    hooks: {
      form: "groups",
      file: "hooks.json",
      unit: "s",
      events: {
        Stop: "stop",
        SessionStart: "session-start",
        SessionEnd: "session-end",
        UserPromptSubmit: "user-prompt-submit",
      },
    },
    skills: "skills",
    trustFile: "config.toml",
    notices: [],
  },
};

function recognises(payload: Payload): boolean {
  const session = textOf(payload, "session_id");
  const name = (textOf(payload, "transcript_path") ?? "").split(/[\\/]/).at(-1) ?? "";
  return session !== null && name.startsWith("rollout-") && name.endsWith(`-${session}.jsonl`);
}
