import { closeSync, constants, fdatasyncSync, fstatSync, openSync, statSync, writeSync } from "node:fs";
import type { LoopEvent } from "../../../core/events/event.ts";
import { JournalError } from "../journal-error.ts";
import { errnoOf } from "../../../system/files/path-errors.ts";
import type { Appended, Cursor } from "../journal.ts";
import { readFile } from "./read.ts";
import { RECORD_LIMIT_BYTES, encodeRecord, type JournalRecord } from "../record.ts";

/**
 * Appends one record after the cursor. The file itself is the arbiter: each write is one O_APPEND write, which a local file
 * system puts after all earlier ones in one piece, and the first valid record that follows a sequence counts. So there is no
 * lock for a dead process to leave behind. The bytes of a torn write are not closed with a line break, because a second crash
 * could leave that break alone: the record follows them directly, and readers find its beginning.
 */
export function appendRecord(
  path: string,
  cursor: Cursor,
  at: number,
  events: readonly LoopEvent[],
): Appended {
  const { line, sum } = encodeRecord(cursor, at, nonce(), events);
  const bytes = Buffer.from(`${line}\n`);
  if (bytes.length > RECORD_LIMIT_BYTES)
    throw new JournalError("unwritable", "the text is too long for one record");
  const file = openForAppending(path);
  try {
    // Writes nothing to a journal that is no longer ours, or if others were first.
    const before = readFollowers(file, cursor);
    if (before.first !== undefined) return { type: "lost", ...before };
    write(file, bytes);
    const { first, ...after } = readFollowers(file, cursor);
    if (first?.sum !== sum) return { type: "lost", ...after };
    sync(file);
    expectStillThere(path, file);
    return { type: "won", cursor: first };
  } finally {
    closeSync(file);
  }
}

interface Followers {
  readonly first: Cursor | undefined;
  readonly cursor: Cursor;
  readonly records: readonly JournalRecord[];
}

function readFollowers(file: number, from: Cursor): Followers {
  let first: Cursor | undefined;
  const records: JournalRecord[] = [];
  const cursor = readFile(file, from, (record, at) => {
    first ??= at;
    records.push(record);
  });
  return { first, cursor, records };
}

function openForAppending(path: string): number {
  try {
    // No O_CREAT: a deleted journal stays deleted.
    return openSync(path, constants.O_RDWR | constants.O_APPEND);
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") throw gone(error);
    throw new JournalError("unwritable", `the journal cannot be written (${errnoOf(error) ?? "unknown"})`, {
      cause: error,
    });
  }
}

function write(file: number, bytes: Buffer): void {
  let written: number;
  try {
    written = writeSync(file, bytes);
  } catch (error) {
    throw new JournalError("unwritable", `the journal cannot be written (${errnoOf(error) ?? "unknown"})`, {
      cause: error,
    });
  }
  // The rest would be a second write, and another writer's could come first.
  if (written < bytes.length)
    throw new JournalError("unwritable", "could not write the whole record; the disk may be full");
}

function sync(file: number): void {
  try {
    fdatasyncSync(file);
  } catch (error) {
    throw new JournalError("unwritable", `the journal cannot be written (${errnoOf(error) ?? "unknown"})`, {
      cause: error,
    });
  }
}

/** A write to a file that nobody can find again doesn't count. */
function expectStillThere(path: string, file: number): void {
  const own = fstatSync(file);
  try {
    const found = statSync(path);
    if (own.nlink > 0 && found.ino === own.ino && found.dev === own.dev) return;
  } catch (error) {
    throw gone(error);
  }
  throw gone();
}

function gone(cause?: unknown): JournalError {
  return new JournalError("missing", "the journal is gone", { cause });
}

/** Tells equal decisions of two writers apart. */
function nonce(): string {
  return `${process.pid.toString(36)}-${Math.random().toString(36).slice(2, 12).padEnd(10, "0")}`;
}
