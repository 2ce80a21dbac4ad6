import { statSync, closeSync, fsyncSync, linkSync, openSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { parseLoopId, type LoopId } from "../../../core/loop/id.ts";
import { appendRecord } from "./append.ts";
import { JournalError } from "../journal-error.ts";
import type { Cursor, EachRecord, Follower, Journal, JournalOutside, Journals } from "../journal.ts";
import { AT_THE_BEGINNING } from "../journal.ts";
import { dropSnapshot, loadJournal, takeSnapshot } from "./load.ts";
import { readJournal } from "./read.ts";
import { randomUUID } from "node:crypto";
import type { LoopEvent } from "../../../core/events/event.ts";
import { namesIn } from "../../../system/files/folders.ts";
import { errnoOf } from "../../../system/files/path-errors.ts";
import { BEFORE_THE_FIRST, encodeRecord } from "../record.ts";

/** Journals as files, each in the folder of its loop: `LOOPS/ID/journal.jsonl`. */
export function fileJournals(loops: string): Journals {
  return {
    list: async () => listLoops(loops),
    survey: async () => surveyLoops(loops),
    of: (id) => fileJournal(pathOf(loops, id)),
    create: async (id, at, events) => createJournal(pathOf(loops, id), at, events),
  };
}

function fileJournal(path: string): Journal {
  return {
    load: async (options) => loadJournal(path, options),
    append: async (after, at, events) => appendRecord(path, after, at, events),
    follow: (from) => fileFollower(path, from),
    remember: ({ cursor, loop }) => takeSnapshot(path, cursor, loop),
    forget: () => dropSnapshot(path),
  };
}

function fileFollower(path: string, from: Cursor): Follower {
  let cursor = from;
  let seen = fileStateOf(path);
  let isRead = false;
  return {
    // Without an await inside: two calls at once report each record once.
    next: async (each) => {
      // Read only when it has changed: checking costs one system call.
      const found = fileStateOf(path);
      if (isRead && isSame(found, seen)) return cursor;
      // If the file was replaced or shrank, check all of it, before and after our position.
      const isReplaced =
        found !== null && seen !== null && (found.file !== seen.file || found.size < seen.size);
      cursor = isReplaced ? readAgain(path, cursor, each) : readJournal(path, cursor, each);
      seen = found;
      isRead = true;
      return cursor;
    },
  };
}

interface FileState {
  readonly file: string;
  readonly size: number;
}

function fileStateOf(path: string): FileState | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : { file: `${stat.dev}:${stat.ino}`, size: stat.size };
}

function isSame(one: FileState | null, other: FileState | null): boolean {
  return one !== null && one.file === other?.file && one.size === other.size;
}

/** From the first record on; the one at the cursor still has to exist. */
function readAgain(path: string, known: Cursor, each: EachRecord): Cursor {
  let isFound = known.seq === 0;
  const end = readJournal(path, AT_THE_BEGINNING, (record, cursor) => {
    if (cursor.seq === known.seq) isFound = cursor.sum === known.sum;
    if (cursor.seq > known.seq) each(record, cursor);
  });
  if (isFound) return end;
  throw new JournalError(
    "corrupt",
    `the journal was replaced: record ${known.seq} is not the same as before`,
  );
}

function listLoops(loops: string): readonly LoopId[] {
  return [...surveyLoops(loops)]
    .toSorted(([, one], [, other]) => other.changedAt - one.changedAt)
    .map(([id]) => id);
}

/** A mark differs for another file of the same size in its place, too, and for one that was changed and given its old time. */
function surveyLoops(loops: string): ReadonlyMap<LoopId, JournalOutside> {
  const found = new Map<LoopId, JournalOutside>();
  for (const name of namesIn(loops)) {
    const id = parseLoopId(name);
    // A folder without a journal is an unfinished opening or a deleted loop.
    const stat = id === null ? undefined : statSync(pathOf(loops, id), { throwIfNoEntry: false });
    if (id === null || stat === undefined) continue;
    const { ino, size, ctimeMs, mtimeMs } = stat;
    found.set(id, { mark: `${ino}:${size}:${ctimeMs}`, changedAt: mtimeMs });
  }
  return found;
}

function pathOf(loops: string, id: LoopId): string {
  return `${loops}${sep}${id}${sep}journal.jsonl`;
}

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
