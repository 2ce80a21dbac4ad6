import type { Payload } from "../payload.ts";
import { listOf, textOf } from "../payload.ts";

/** Whether the conversation, as far as it is written down, ends with this answer. */
export function endsWithAnswer(tail: string, answer: string): boolean {
  for (const line of tail.split("\n").toReversed()) {
    // Cheaper than reading each row, of which most are long and few are said by anybody.
    if (!line.includes('"assistant"') && !line.includes('"user"')) continue;
    const row = rowFrom(line);
    if (row?.["type"] === "user") return false;
    if (row?.["type"] === "assistant") return saysLast(row, answer);
  }
  return false;
}

/** Each part of an answer has a row of its own; the last one ends as the answer does. */
function saysLast(row: Payload, answer: string): boolean {
  const message = row["message"];
  if (typeof message !== "object" || message === null) return false;
  const last = textOf(listOf(message as Payload, "content").at(-1) ?? {}, "text")?.trim() ?? "";
  return last !== "" && answer.trim().endsWith(last);
}

/** The first line of a tail is mostly cut, and the last one may be half written. */
function rowFrom(line: string): Payload | null {
  try {
    const row: unknown = JSON.parse(line);
    return typeof row === "object" && row !== null ? (row as Payload) : null;
  } catch {
    return null;
  }
}
