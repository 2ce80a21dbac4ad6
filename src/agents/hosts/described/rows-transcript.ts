import type { TranscriptFormat, Usage, UsageRow } from "../../cost/transcript.ts";
import { NO_USAGE } from "../../cost/transcript.ts";
import { textOf, type Payload } from "../payload.ts";

/** How a host writes one row of a conversation. Rows of other kinds are null. */
export interface RowReader {
  /** What the agent said; "" where it only called a tool; null: it isn't the agent's row. */
  said(row: Payload): string | null;
  /** Whether it is a prompt or the result of a tool, after which the agent answers anew. */
  isTold(row: Payload): boolean;
  usage(row: Payload): UsageRow | null;
}

/** A conversation kept as one JSON object a line. The client owns the format, so unknown rows count as nothing. */
export function rowsTranscript(reader: RowReader): TranscriptFormat {
  /** What the agent said since it was last told something, the last row first. */
  function* saidBackwards(tail: string): Generator<string> {
    for (const line of tail.split("\n").toReversed()) {
      const row = rowFrom(line);
      if (row === null) continue;
      const said = reader.said(row);
      if (said !== null && said.trim() !== "") yield said.trim();
      else if (said === null && reader.isTold(row)) return;
    }
  }
  return {
    usageIn(line) {
      if (!line.includes("oken")) return NO_ROWS;
      const row = rowFrom(line);
      const usage = row === null ? null : reader.usage(row);
      return usage === null || usage.message === "" ? NO_ROWS : [usage];
    },
    endsWithAnswer(tail, answer) {
      for (const said of saidBackwards(tail)) return answer.trim().endsWith(said);
      return false;
    },
    lastAnswer(tail) {
      const said = [...saidBackwards(tail)].toReversed();
      return said.length === 0 ? null : said.join("\n\n");
    },
    queueMark: null,
    queuedPrompts: () => [],
    subagents: null,
  };
}

const NO_ROWS: readonly UsageRow[] = [];

function rowFrom(line: string): Payload | null {
  try {
    const row: unknown = JSON.parse(line);
    return typeof row === "object" && row !== null ? (row as Payload) : null;
  } catch {
    return null;
  }
}

/** What one request used. `cached` is part of `input` where the host counts it there. */
export function usageOf(counts: {
  readonly input: unknown;
  readonly output: unknown;
  readonly cacheRead?: unknown;
  readonly cacheWrite?: unknown;
  readonly isCachePartOfInput: boolean;
}): Usage {
  const [cacheRead, cacheWrite] = [count(counts.cacheRead), count(counts.cacheWrite)];
  const input = count(counts.input);
  return {
    ...NO_USAGE,
    input: counts.isCachePartOfInput ? Math.max(input - cacheRead - cacheWrite, 0) : input,
    output: count(counts.output),
    cacheRead,
    cacheWrite,
  };
}

export function timeIn(row: Payload): number | null {
  const time = Date.parse(textOf(row, "timestamp") ?? "");
  return Number.isNaN(time) ? null : time;
}

/** No request comes near it, and sums of such numbers stay exact. */
const MOST_TOKENS = 1_000_000_000;

function count(value: unknown): number {
  return Number.isSafeInteger(value) ? Math.min(Math.max(value as number, 0), MOST_TOKENS) : 0;
}
