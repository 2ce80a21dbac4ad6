import type { Payload } from "../payload.ts";
import { fieldsOf, listOf, textOf } from "../payload.ts";

/** What precedes a file name in a shell line that writes the file. */
const WRITING = String.raw`(?:>|\btee\b|\bmv\b|\bcp\b|\bsed\s+-i|\bwrite|\bopen\()[^\n]{0,300}`;

/** Whether a row of the transcript shows the agent writing this file, with a tool or in a shell. Reading doesn't count. */
export function isToolWriting(line: string, name: string): boolean {
  if (!line.includes('"tool_use"')) return false;
  const message = fieldsOf(parsed(line), "message");
  return listOf(message, "content").some((part) => {
    if (part["type"] !== "tool_use") return false;
    const input = fieldsOf(part, "input");
    if (textOf(part, "name") === "Bash")
      return new RegExp(WRITING + escaped(name)).test(textOf(input, "command") ?? "");
    return (
      ["Write", "Edit", "MultiEdit"].includes(textOf(part, "name") ?? "") &&
      (textOf(input, "file_path") ?? "").endsWith(name)
    );
  });
}

function parsed(line: string): Payload {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Payload) : {};
  } catch {
    return {};
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
