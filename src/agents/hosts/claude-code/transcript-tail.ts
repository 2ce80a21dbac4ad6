import type { Payload } from "../payload.ts";
import { listOf, textOf } from "../payload.ts";

/** Whether the conversation written so far ends with this answer. */
export function endsWithAnswer(tail: string, answer: string): boolean {
  for (const row of answersBackwards(tail)) return saysLast(row, answer);
  return false;
}

/** Everything the agent said since the last user row; null: nothing. */
export function lastAnswer(tail: string): string | null {
  const texts = [...answersBackwards(tail)].toReversed().flatMap(textsOf);
  return texts.length === 0 ? null : texts.join("\n\n");
}

/** The agent's rows after the last user row, the last one first. */
function* answersBackwards(tail: string): Generator<Payload> {
  for (const line of tail.split("\n").toReversed()) {
    // Cheaper than parsing each row: most are long, and few are messages.
    if (!line.includes('"assistant"') && !line.includes('"user"')) continue;
    const row = rowFrom(line);
    if (row?.["type"] === "user") return;
    if (row?.["type"] === "assistant") yield row;
  }
}

/** Each part of an answer has its own row; the last one ends as the answer does. */
function saysLast(row: Payload, answer: string): boolean {
  const last = textOf(contentOf(row).at(-1) ?? {}, "text")?.trim() ?? "";
  return last !== "" && answer.trim().endsWith(last);
}

function textsOf(row: Payload): readonly string[] {
  return contentOf(row).flatMap((part) => textOf(part, "text") ?? []);
}

function contentOf(row: Payload): readonly Payload[] {
  const message = row["message"];
  return typeof message === "object" && message !== null ? listOf(message as Payload, "content") : [];
}

/** The first line of a tail is usually cut, and the last one may be half written. */
function rowFrom(line: string): Payload | null {
  try {
    const row: unknown = JSON.parse(line);
    return typeof row === "object" && row !== null ? (row as Payload) : null;
  } catch {
    return null;
  }
}
