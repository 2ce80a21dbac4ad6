import type { Driver } from "../driver.ts";
import { parseJsonLine, textAt } from "../json-line.ts";
import { launchOf } from "./command.ts";
import { permits } from "./permissions.ts";
import { readMessages } from "./stream.ts";

/** Anthropic's Claude Code: `claude -p --output-format stream-json`. */
export const claudeCode: Driver = {
  id: "claude-code",
  title: "Claude Code",
  program: "claude",
  keepsConversations: true,
  capsItself: true,
  canBeAsked: true,
  command: launchOf,
  permits,
  exampleRule: "Bash(npm test:*)",
  readStream: readMessages,
  weigh,
};

/** An answer comes in hundreds of parts and then again as a whole. Newer clients print the type of a result late in the line. */
function weigh(line: string): "passing" | "plain" | "vital" {
  const mayBeResult = line.includes('"type":"result"');
  if (mayBeResult && textAt(parseJsonLine(line), "type") === "result") return "vital";
  const isPart = line.startsWith('{"type":"stream_event"') && line.includes('"content_block_delta"');
  return isPart ? "passing" : "plain";
}
