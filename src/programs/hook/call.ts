import type { ReplyForm } from "../../agents/hosts/reply.ts";

export interface Call {
  readonly event: string;
  readonly reply: ReplyForm;
  /** As the settings name it; null if they don't. */
  readonly host: string | null;
}

/** `EVENT --host HOST --reply FORM`; missing or unknown parts default to a stop with today's reply. */
export function readCall(words: readonly string[]): Call {
  let event = "stop";
  let reply: ReplyForm = "decision";
  let host: string | null = null;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    const [flag, inline] = word.split("=", 2);
    if (flag === "--reply" || flag === "--host") {
      const value = inline ?? words[(index += 1)];
      if (flag === "--reply" && (value === "ok" || value === "exit2")) reply = value;
      if (flag === "--host") host = value ?? null;
    } else if (!word.startsWith("-")) {
      event = word;
    }
  }
  // The host's own spelling works too: `SessionStart` is `session-start`.
  return { event: event.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase(), reply, host };
}
