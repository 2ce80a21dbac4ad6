import type { HookAnswer, HostReply } from "../reply.ts";
import { SILENCE, answerWith } from "../reply.ts";

export function render(reply: HostReply): HookAnswer {
  switch (reply.type) {
    case "silence":
      return SILENCE;
    case "hold":
      return answerWith({ decision: "block", reason: reply.reason });
    case "message":
      return answerWith({ systemMessage: reply.text });
    case "announcement":
      return answerWith({
        ...(reply.toUser === null ? {} : { systemMessage: reply.toUser }),
        hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: reply.text },
      });
  }
}
