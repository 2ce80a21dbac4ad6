import { listOf, textOf } from "../payload.ts";
import type { HostDescription } from "./description.ts";

export const kimi: HostDescription = {
  id: "kimi",
  title: "Kimi Code",
  // It names its process so.
  programs: ["kimi", "kimi-code"],
  packages: ["kimi-code"],
  marks: [],
  recognises: (payload) => payload["client_type"] === "kimi_code_cli",
  typedIn: (payload) =>
    listOf(payload, "prompt")
      .map((part) => textOf(part, "text") ?? "")
      .join("\n"),
  transcript: null,
  planModes: [],
  promptCap: () => ({ most: 1, raise: null }),
  hold: "exit2",
  context: "nested",
  install: {
    folder: ".kimi-code",
    projectFolder: null,
    hooks: {
      form: "toml",
      file: "config.toml",
      events: {
        Stop: "stop",
        SessionStart: "session-start",
        SessionEnd: "session-end",
        UserPromptSubmit: "user-prompt-submit",
      },
    },
    skills: "skills",
    notices: [
      "Kimi Code asks a hook once a prompt: an agent that is held and stops again is let go, and judged at the end of your next prompt. For work without a person: loop run.",
    ],
  },
};
