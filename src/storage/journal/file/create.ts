import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LoopEvent } from "../../../core/events/event.ts";
import { errnoOf } from "../../../system/files/errno.ts";
import { JournalError } from "../journal-error.ts";
import type { Cursor } from "../journal.ts";
import { BEFORE_THE_FIRST, encodeRecord } from "../record.ts";

/** Creates a journal with its opening in the folder of its loop, atomically. Never replaces another. */
export function createJournal(path: string, at: number, events: readonly LoopEvent[]): Cursor {
  const folder = dirname(path);
  const { line, sum } = encodeRecord(BEFORE_THE_FIRST, at, `opening-${process.pid}`, events);
  // Not named by the process alone, because process ids are reused.
  const draft = join(folder, `.opening-${process.pid}-${randomUUID()}`);
  const file = openSync(draft, "wx", 0o600);
  try {
    writeFileSync(file, `${line}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(draft, path);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    throw new JournalError("exists", "a journal already exists", { cause: error });
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(folder);
  syncFolder(dirname(folder));
  return { seq: 1, sum, start: 0 };
}

/** The entry of a new file is on disk only once its folder is synced. */
function syncFolder(folder: string): void {
  let file: number;
  try {
    file = openSync(folder, "r");
  } catch {
    return; // Windows opens no folders
  }
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
