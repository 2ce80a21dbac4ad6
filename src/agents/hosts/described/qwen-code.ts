import { fieldsOf, listOf, textOf, type Payload } from "../payload.ts";
import type { HostDescription } from "./description.ts";
import { rowsTranscript, timeIn, usageOf } from "./rows-transcript.ts";

const transcript = rowsTranscript({
  said(row) {
    if (row["type"] !== "assistant") return null;
    return listOf(fieldsOf(row, "message"), "parts")
      .filter((part) => part["thought"] !== true)
      .map((part) => textOf(part, "text") ?? "")
      .join("");
  },
  isTold: (row) => row["type"] === "user" || row["type"] === "tool_result",
  usage(row) {
    if (row["type"] !== "assistant") return null;
    const counts = fieldsOf(row, "usageMetadata");
    const usage = usageOf({
      input: counts["promptTokenCount"],
      output: counts["candidatesTokenCount"],
      cacheRead: counts["cachedContentTokenCount"],
      isCachePartOfInput: true,
    });
    return {
      message: textOf(row, "uuid") ?? "",
      request: "",
      at: timeIn(row),
      model: textOf(row, "model") ?? "",
      usage,
    };
  },
});

export const qwenCode: HostDescription = {
  id: "qwen-code",
  title: "Qwen Code",
  programs: ["qwen"],
  packages: ["qwen-code"],
  marks: [{ mark: "QWEN_CODE", session: "QWEN_CODE_SESSION_ID" }],
  recognises,
  // It reports each request to the model as a prompt. Only a person's has this.
  typedIn: (payload) => textOf(payload, "submitted_prompt"),
  transcript,
  planModes: ["plan"],
  promptCap,
  hold: "decision",
  context: "nested",
  install: {
    folder: ".qwen",
    projectFolder: ".qwen",
    hooks: {
      form: "groups",
      file: "settings.json",
      unit: "ms",
      named: true,
      events: {
        Stop: "stop",
        SessionStart: "session-start",
        SessionEnd: "session-end",
        UserPromptSubmit: "user-prompt-submit",
      },
    },
    skills: "skills",
    notices: [
      'Qwen Code ignores the 8th hold of a prompt, so the loop pauses after 7. To be held more often, set "stopHookBlockingCap": 50 in its settings and QWEN_CODE_STOP_HOOK_BLOCK_CAP=50 in the environment.',
    ],
  },
};

const MOST_HOLDS = 7;

/** The hook sees the variable, and not the setting. */
function promptCap(env: NodeJS.ProcessEnv): ReturnType<HostDescription["promptCap"]> {
  const set = env["QWEN_CODE_STOP_HOOK_BLOCK_CAP"] ?? "";
  const cap = /^\d{1,6}$/.test(set) ? Number(set) : MOST_HOLDS + 1;
  return { most: Math.max(cap - 1, 1), raise: "start it with QWEN_CODE_STOP_HOOK_BLOCK_CAP=50" };
}

function recognises(payload: Payload): boolean {
  const session = textOf(payload, "session_id");
  const [chats, file] = (textOf(payload, "transcript_path") ?? "").split(/[\\/]/).slice(-2);
  return session !== null && chats === "chats" && file === `${session}.jsonl`;
}
