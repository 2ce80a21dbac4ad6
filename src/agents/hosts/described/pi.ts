import { fieldsOf, listOf, textOf } from "../payload.ts";
import type { HostDescription } from "./description.ts";
import { rowsTranscript, timeIn, usageOf } from "./rows-transcript.ts";

/** pi and oh-my-pi write the same rows. */
const transcript = rowsTranscript({
  said(row) {
    const message = fieldsOf(row, "message");
    if (message["role"] !== "assistant") return null;
    return listOf(message, "content")
      .map((part) => textOf(part, "text") ?? "")
      .join("\n");
  },
  isTold: (row) => ["user", "toolResult"].includes(textOf(fieldsOf(row, "message"), "role") ?? ""),
  usage(row) {
    const message = fieldsOf(row, "message");
    if (message["role"] !== "assistant") return null;
    const counts = fieldsOf(message, "usage");
    const usage = usageOf({
      input: counts["input"],
      output: counts["output"],
      cacheRead: counts["cacheRead"],
      cacheWrite: counts["cacheWrite"],
      isCachePartOfInput: false,
    });
    return {
      message: textOf(row, "id") ?? "",
      request: "",
      at: timeIn(row),
      model: textOf(message, "model") ?? "",
      usage,
    };
  },
});

const SHARED = {
  recognises: () => false,
  transcript,
  planModes: [],
  promptCap: () => null,
  hold: "decision",
  context: "nested",
} as const;

export const pi: HostDescription = {
  ...SHARED,
  id: "pi",
  title: "pi",
  programs: ["pi"],
  packages: ["@earendil-works", "@mariozechner"],
  marks: [{ mark: "PI_CODING_AGENT", session: "PI_SESSION_ID" }],
  install: {
    folder: ".pi/agent",
    variable: "PI_CODING_AGENT_DIR",
    projectFolder: ".pi",
    hooks: { form: "bridge", file: "extensions/loop.js", kind: "pi" },
    skills: "skills",
    notices: [],
  },
};

export const ohMyPi: HostDescription = {
  ...SHARED,
  id: "oh-my-pi",
  title: "oh-my-pi",
  programs: ["omp"],
  packages: ["@oh-my-pi"],
  // And Claude Code's, without a session.
  marks: [{ mark: "OMPCODE" }],
  install: {
    folder: ".omp/agent",
    projectFolder: ".omp",
    hooks: { form: "bridge", file: "extensions/loop.js", kind: "oh-my-pi" },
    skills: "skills",
    notices: [],
  },
};
