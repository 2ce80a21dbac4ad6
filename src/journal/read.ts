import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { JournalError, errnoOf } from "./journal-error.ts";
import type { Record } from "./record.ts";
import { BEFORE_THE_FIRST, RECORD_LIMIT_BYTES, decodeRecord } from "./record.ts";

/** Where a reader stands: the last record that counts, and the byte at which it begins. */
export interface Cursor {
  readonly seq: number;
  readonly sum: string;
  readonly start: number;
}

export const AT_THE_BEGINNING: Cursor = { ...BEFORE_THE_FIRST, start: 0 };

export type EachRecord = (record: Record, cursor: Cursor) => void;

export interface Reading {
  readonly cursor: Cursor;
  /** The file ends within a line: a writer died, or is still writing. */
  readonly isTorn: boolean;
}

const NEWLINE = 0x0a;
const CHUNK_BYTES = 1024 * 1024;

/** Reads every record that counts and comes after the cursor, in the order of the file. */
export function readJournal(path: string, cursor: Cursor, each: EachRecord): Reading {
  const file = openForReading(path);
  try {
    return readFile(file, cursor, each);
  } finally {
    closeSync(file);
  }
}

function openForReading(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") {
      throw new JournalError("missing", "the journal is gone", { cause: error });
    }
    throw new JournalError("unwritable", `the journal cannot be read (${errnoOf(error) ?? "unknown"})`, {
      cause: error,
    });
  }
}

export function readFile(file: number, from: Cursor, each: EachRecord): Reading {
  const reader = new Reader(from, each);
  const size = fstatSync(file).size;
  if (from.start > 0 && from.start >= size) throw shorter(from);
  let rest: Buffer = Buffer.alloc(0);
  let offset = from.start;
  while (offset + rest.length < size) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - offset - rest.length));
    const got = readSync(file, chunk, 0, chunk.length, offset + rest.length);
    if (got === 0) break;
    const bytes = rest.length === 0 ? chunk.subarray(0, got) : Buffer.concat([rest, chunk.subarray(0, got)]);
    const used = reader.readLines(bytes, offset);
    offset += used;
    rest = bytes.subarray(used);
    if (rest.length > RECORD_LIMIT_BYTES)
      throw new JournalError("corrupt", "the journal holds a line that is too long to be a record");
  }
  return { cursor: reader.finish(), isTorn: rest.length > 0 };
}

function shorter(cursor: Cursor): JournalError {
  return new JournalError("corrupt", `the journal is shorter than it was: record ${cursor.seq} is missing`);
}

class Reader {
  #cursor: Cursor;
  readonly #each: EachRecord;
  /** The record at the cursor is met again first, and has to be the same. */
  #isAnchored: boolean;
  #damagedAt: number | null = null;

  constructor(cursor: Cursor, each: EachRecord) {
    this.#cursor = cursor;
    this.#each = each;
    this.#isAnchored = cursor.seq === 0;
  }

  /** Returns how many bytes were complete lines. */
  readLines(bytes: Buffer, offset: number): number {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      if (end > start) this.#readLine(bytes.toString("utf8", start, end), offset + start);
      start = end + 1;
    }
    return start;
  }

  finish(): Cursor {
    if (!this.#isAnchored) throw shorter(this.#cursor);
    if (this.#damagedAt !== null) {
      throw new JournalError("corrupt", `the journal is damaged at byte ${this.#damagedAt}`);
    }
    if (this.#cursor.seq === 0) throw new JournalError("corrupt", "the journal holds no complete record");
    return this.#cursor;
  }

  #readLine(line: string, offset: number): void {
    const decoded = decodeRecord(line);
    if (decoded === null) {
      this.#damagedAt ??= offset;
      return;
    }
    const { record, skipped } = decoded;
    if (!this.#isAnchored) {
      if (record.sum !== this.#cursor.sum) throw shorter(this.#cursor);
      this.#isAnchored = true;
      return;
    }
    // It lost a race: another record had already followed that one.
    if (record.follows < this.#cursor.seq) return;
    if (record.follows > this.#cursor.seq || record.after !== this.#cursor.sum) {
      throw new JournalError(
        "corrupt",
        `the journal is damaged before byte ${offset}: record ${this.#cursor.seq + 1} is missing or was replaced`,
      );
    }
    this.#cursor = { seq: record.follows + 1, sum: record.sum, start: offset + skipped };
    // What was damaged before a record that continues the chain was a torn write, which never counted.
    this.#damagedAt = null;
    this.#each(record, this.#cursor);
  }
}
