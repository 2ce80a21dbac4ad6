import type { Host } from "../host.ts";
import { readHook } from "./read-hook.ts";
import { recognises } from "./recognise.ts";
import { render } from "./render.ts";
import { CLAUDE_CODE_TRANSCRIPT } from "./transcript-format.ts";
import { isToolWriting } from "./tool-writes.ts";
import { COMMAND_PREFIX } from "./typed-command.ts";

export const claudeCode: Host = {
  id: "claude-code",
  title: "Claude Code",
  marks: [{ mark: "CLAUDECODE", session: "CLAUDE_CODE_SESSION_ID" }],
  commandPrefix: COMMAND_PREFIX,
  transcript: CLAUDE_CODE_TRANSCRIPT,
  isToolWriting,
  recognises,
  read: readHook,
  render,
};
