import { fieldsOf, listOf, textOf, type Payload } from "../payload.ts";
import type { HostDescription } from "./description.ts";
import { rowsTranscript, timeIn, usageOf } from "./rows-transcript.ts";

const transcript = rowsTranscript({
  said: (row) => (row["type"] === "gemini" ? textOf(row, "content") : null),
  isTold: (row) => row["type"] === "user" && listOf(row, "content").length > 0,
  usage(row) {
    const tokens = fieldsOf(row, "tokens");
    if (row["type"] !== "gemini") return null;
    const usage = usageOf({
      input: tokens["input"],
      output: total(tokens["output"], tokens["thoughts"]),
      cacheRead: tokens["cached"],
      isCachePartOfInput: true,
    });
    return {
      message: textOf(row, "id") ?? "",
      request: "",
      at: timeIn(row),
      model: textOf(row, "model") ?? "",
      usage,
    };
  },
});

/** Thinking is paid for like words. */
function total(output: unknown, thoughts: unknown): number {
  return [output, thoughts].reduce<number>((sum, each) => sum + (typeof each === "number" ? each : 0), 0);
}

export const geminiCli: HostDescription = {
  id: "gemini-cli",
  title: "Gemini CLI",
  programs: ["gemini"],
  packages: ["gemini-cli"],
  marks: [{ mark: "GEMINI_CLI" }],
  recognises,
  // What a hook said at the start stands before the first prompt.
  typedIn: (payload) =>
    (textOf(payload, "prompt") ?? "").replace(/^(?:\s*<hook_context>[\s\S]*?<\/hook_context>\s*)+/, ""),
  messageIn: (payload) => textOf(payload, "prompt_response"),
  // What the payload has begins with all that was said before the last hold.
  messageInTranscript: true,
  transcript,
  planModes: ["plan"],
  promptCap: () => null,
  hold: "decision",
  context: "nested",
  install: {
    folder: ".gemini",
    homeVariable: "GEMINI_CLI_HOME",
    projectFolder: ".gemini",
    hooks: {
      form: "groups",
      file: "settings.json",
      unit: "ms",
      named: true,
      events: {
        AfterAgent: "stop",
        SessionStart: "session-start",
        SessionEnd: "session-end",
        BeforeAgent: "user-prompt-submit",
      },
    },
    skills: "skills",
    notices: [],
  },
};

const EVENTS = new Set(["BeforeAgent", "AfterAgent", "BeforeTool", "AfterTool"]);

function recognises(payload: Payload): boolean {
  const path = textOf(payload, "transcript_path") ?? "";
  return EVENTS.has(textOf(payload, "hook_event_name") ?? "") || /[\\/]chats[\\/]session-[^\\/]+$/.test(path);
}
