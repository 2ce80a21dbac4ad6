import { createHash } from "node:crypto";
import { EVENT_VERSION, type LoopEvent } from "../../core/events/event.ts";
import { parseEvent } from "./event-schema.ts";
import { JournalError } from "./journal-error.ts";

/** One decision's events, all or nothing. A line of the journal. */
export interface JournalRecord {
  /** The sequence this one follows; the opening follows 0. */
  readonly follows: number;
  /** The sum of the record it follows, so no other record can replace that one. */
  readonly after: string;
  readonly at: number;
  readonly events: readonly LoopEvent[];
  readonly sum: string;
}

export const BEFORE_THE_FIRST = { seq: 0, sum: "" } as const;

/** Larger than any of our records; we didn't write a longer line. */
export const RECORD_LIMIT_BYTES = 16 * 1024 * 1024;

/** Every record starts with this, and JSON never contains it inside: quotes in strings are escaped. */
const BEGINNING = '{"follows":';
const ENDING = /,"sum":"([0-9a-f]{16})"\}$/;

export function encodeRecord(
  position: { readonly seq: number; readonly sum: string },
  at: number,
  nonce: string,
  events: readonly LoopEvent[],
): { readonly line: string; readonly sum: string } {
  const stored = events.map((event) => ({ ...event, v: EVENT_VERSION[event.type] }));
  // A record that cannot be read back would end the loop, so it is never written.
  const unreadable = stored.find((event) => parseEvent(event).type !== "event");
  if (unreadable !== undefined)
    throw new JournalError("unwritable", `a "${unreadable.type}" has the wrong form and was not written`);
  const body = JSON.stringify({
    follows: position.seq,
    after: position.sum,
    at: new Date(at).toISOString(),
    nonce,
    events: stored,
  }).slice(0, -1);
  const sum = sumOf(body);
  return { line: `${body},"sum":"${sum}"}`, sum };
}

/** A record as found in its line. */
interface DecodedRecord {
  readonly record: JournalRecord;
  /** Bytes of a torn write before it, if a writer died and the next one continued. */
  readonly skipped: number;
  /** It contains an event that only a later version of the program knows, which is left out of `record.events`. */
  readonly isNewer: boolean;
}

/** Reads a complete line. null: not one of our records. */
export function decodeRecord(line: Buffer): DecodedRecord | null {
  // As bytes, because a torn write may end within a character.
  const skipped = line.lastIndexOf(BEGINNING);
  const text = skipped === -1 ? "" : line.toString("utf8", skipped);
  const [ending, sum] = ENDING.exec(text) ?? [];
  if (ending === undefined || sum === undefined) return null;
  if (sumOf(line.subarray(skipped, line.length - ending.length)) !== sum) return null;
  const fields = parseJson(text);
  if (fields === null) return null;
  const { follows, after, at, events } = fields;
  const time = typeof at === "string" ? Date.parse(at) : Number.NaN;
  if (!Number.isSafeInteger(follows) || typeof after !== "string" || Number.isNaN(time)) return null;
  if (!Array.isArray(events) || events.length === 0) return null;
  const known = events.map(readEvent).filter((event) => event !== null);
  return {
    record: { follows: follows as number, after, at: time, events: known, sum },
    skipped,
    isNewer: known.length < events.length,
  };
}

/** null: a later version of the program wrote it. */
function readEvent(value: unknown): LoopEvent | null {
  const parsed = parseEvent(value);
  if (parsed.type === "event") return parsed.event;
  if (parsed.type === "newer") return null;
  throw new JournalError("corrupt", "the journal has a record of the wrong form");
}

function parseJson(text: string): { readonly [key: string]: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as { [key: string]: unknown }) : null;
  } catch {
    return null;
  }
}

export function sumOf(body: string | Buffer): string {
  return createHash("sha256").update(body).digest("hex").slice(0, 16);
}
