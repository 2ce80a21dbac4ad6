import { closeSync, constants, fdatasyncSync, fstatSync, openSync, statSync, writeSync } from "node:fs";
import type { LoopEvent } from "../core/event.ts";
import { JournalError, errnoOf } from "./journal-error.ts";
import type { Cursor } from "./read.ts";
import { readFile } from "./read.ts";
import type { Record } from "./record.ts";
import { RECORD_LIMIT_BYTES, encodeRecord } from "./record.ts";

export type Appended =
  /** On disk, and the first to follow the cursor. */
  | { readonly type: "won"; readonly cursor: Cursor }
  /** Others came first; nothing of ours counts. Decide again on what they wrote. */
  | {
      readonly type: "lost";
      readonly cursor: Cursor;
      readonly records: readonly Record[];
      readonly isTorn: boolean;
    };

/**
 * Appends one record behind the cursor. The file itself is the arbiter: each write is one O_APPEND write,
 * which a local file system puts behind all earlier ones in one piece, and the first valid record that
 * follows a sequence is the one that counts. So there is no lock for a dead process to leave behind.
 */
export function appendRecord(
  path: string,
  position: { readonly cursor: Cursor; readonly isTorn: boolean },
  at: number,
  events: readonly LoopEvent[],
): Appended {
  const { line, sum } = encodeRecord(position.cursor, at, nonce(), events);
  // A torn line before us is closed first, so that our record stands on a line of its own.
  const bytes = Buffer.from(position.isTorn ? `\n${line}\n` : `${line}\n`);
  if (bytes.length > RECORD_LIMIT_BYTES)
    throw new JournalError("unwritable", "that is too much text for one record");
  const file = openForAppending(path);
  try {
    write(file, bytes);
    const followers: { readonly record: Record; readonly cursor: Cursor }[] = [];
    const reading = readFile(file, position.cursor, (record, cursor) => followers.push({ record, cursor }));
    const first = followers[0];
    if (first?.record.sum !== sum) {
      return { type: "lost", ...reading, records: followers.map((each) => each.record) };
    }
    fdatasyncSync(file);
    expectStillThere(path, file);
    return { type: "won", cursor: first.cursor };
  } finally {
    closeSync(file);
  }
}

function openForAppending(path: string): number {
  try {
    // No O_CREAT: a journal that was deleted stays deleted.
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
  // The rest would be a second write, which another writer's could precede.
  if (written < bytes.length)
    throw new JournalError("unwritable", "the journal could not be written whole; is the disk full?");
}

/** A write to a file that nobody can find again is no write. */
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

/** Tells two equal decisions of two writers apart. */
function nonce(): string {
  return `${process.pid.toString(36)}-${Math.random().toString(36).slice(2, 12)}`;
}
