import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { JournalError } from "../journal-error.ts";
import { errnoOf } from "../../../system/files/path-errors.ts";
import type { Cursor, EachRecord } from "../journal.ts";
import { RECORD_LIMIT_BYTES, decodeRecord } from "../record.ts";

const NEWLINE = 0x0a;
const CHUNK_BYTES = 1024 * 1024;
/** A record may follow a torn one. */
const LINE_LIMIT_BYTES = 2 * RECORD_LIMIT_BYTES;

/** Reads every record that counts after the cursor, in file order. */
export function readJournal(path: string, cursor: Cursor, each: EachRecord): Cursor {
  const file = openForReading(path);
  try {
    return readFile(file, cursor, each);
  } finally {
    closeSync(file);
  }
}

function openForReading(path: string): number {
  try {
    // Doesn't wait for a pipe in the journal's place.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") {
      throw new JournalError("missing", "the journal is gone", { cause: error });
    }
    throw new JournalError("unreadable", `the journal cannot be read (${errnoOf(error) ?? "unknown"})`, {
      cause: error,
    });
  }
}

/**
 * A file that ends within a line is fine: its writer died or is still writing. The next record follows those bytes on the same
 * line.
 */
export function readFile(file: number, from: Cursor, each: EachRecord): Cursor {
  const reader = new Reader(from, each);
  const stat = fstatSync(file);
  if (!stat.isFile()) throw new JournalError("corrupt", "the journal is not a file");
  const { size } = stat;
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
    if (rest.length > LINE_LIMIT_BYTES)
      throw new JournalError("corrupt", "the journal has a line that is too long to be a record");
  }
  return reader.finish();
}

function shorter(cursor: Cursor): JournalError {
  return new JournalError("corrupt", `the journal is shorter than it was: record ${cursor.seq} is missing`);
}

function damaged(offset: number): JournalError {
  return new JournalError("corrupt", `the journal is damaged at byte ${offset}`);
}

class Reader {
  #cursor: Cursor;
  readonly #each: EachRecord;
  /** The record at the cursor comes first again and has to be the same. */
  #isAnchored: boolean;
  /** A later version of the program wrote here. The rest is still checked against its sums: damage is worse. */
  #isNewer = false;

  constructor(cursor: Cursor, each: EachRecord) {
    this.#cursor = cursor;
    this.#each = each;
    this.#isAnchored = cursor.seq === 0;
  }

  /** Returns how many bytes were complete lines. */
  readLines(bytes: Buffer, offset: number): number {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      if (end > start) this.#readLine(bytes.subarray(start, end), offset + start);
      start = end + 1;
    }
    return start;
  }

  finish(): Cursor {
    if (!this.#isAnchored) throw shorter(this.#cursor);
    if (this.#cursor.seq === 0) throw new JournalError("corrupt", "the journal has no complete record");
    if (this.#isNewer)
      throw new JournalError("newer", "a newer version of loop wrote this loop; update loopwright");
    return this.#cursor;
  }

  #readLine(line: Buffer, offset: number): void {
    const decoded = decodeRecord(line);
    if (decoded === null) throw damaged(offset);
    const { record, skipped, isNewer } = decoded;
    if (!this.#isAnchored) {
      if (record.sum !== this.#cursor.sum) throw shorter(this.#cursor);
      this.#isAnchored = true;
      return;
    }
    // It lost a race: another record already followed that one.
    if (record.follows < this.#cursor.seq) return;
    if (record.follows > this.#cursor.seq || record.after !== this.#cursor.sum) {
      throw new JournalError(
        "corrupt",
        `the journal is damaged before byte ${offset}: record ${this.#cursor.seq + 1} is missing or was replaced`,
      );
    }
    const start = offset + skipped;
    // The opening is atomic, so nothing torn can precede it.
    if (record.follows === 0 && start > 0) throw damaged(0);
    this.#cursor = { seq: record.follows + 1, sum: record.sum, start };
    this.#isNewer ||= isNewer;
    if (!this.#isNewer) this.#each(record, this.#cursor);
  }
}
