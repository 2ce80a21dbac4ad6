import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { EVENT_VERSION } from "../../../core/events/event.ts";
import type { Loop } from "../../../core/loop/loop.ts";
import { JournalError } from "../journal-error.ts";
import { AT_THE_BEGINNING, foldRecord, type Cursor, type LoadedJournal } from "../journal.ts";
import { readBounded } from "../../../system/files/read-file.ts";
import { readJournal } from "./read.ts";
import { sumOf } from "../record.ts";
import { writeAtomically } from "../../../system/files/write-atomically.ts";

/** Makes loading read only the tail, however old the loop is. Deletable. */
type Snapshot = LoadedJournal;

/** Changes with the form of `Loop` and of any event: a program that doesn't know an event must not skip it. */
export const SNAPSHOT_FORMAT = sumOf(JSON.stringify({ loop: 15, events: EVENT_VERSION }));
const RECORDS_PER_SNAPSHOT = 128;
const SNAPSHOT_LIMIT_BYTES = 64 * 1024 * 1024;

/** Loads a loop. `fromScratch` folds the whole journal and ignores snapshots. */
export function loadJournal(path: string, options: { readonly fromScratch?: boolean } = {}): LoadedJournal {
  const snapshot = options.fromScratch === true ? null : readSnapshot(path);
  if (snapshot === null) return foldFrom(path, AT_THE_BEGINNING, null);
  try {
    return foldFrom(path, snapshot.cursor, snapshot.loop);
  } catch (error) {
    if (!(error instanceof JournalError) || error.code === "missing") throw error;
    const whole = foldFrom(path, AT_THE_BEGINNING, null);
    // If a snapshot knows more than its journal, records were lost.
    if (whole.loop.id === snapshot.loop.id && whole.cursor.seq < snapshot.cursor.seq) throw error;
    return whole;
  }
}

export function takeSnapshot(path: string, cursor: Cursor, loop: Loop): void {
  if (cursor.seq % RECORDS_PER_SNAPSHOT === 0) writeSnapshot(path, cursor, loop);
}

export function dropSnapshot(path: string): void {
  rmSync(snapshotPath(path), { force: true });
}

function foldFrom(path: string, cursor: Cursor, start: Loop | null): LoadedJournal {
  let loop = start;
  let count = 0;
  const end = readJournal(path, cursor, (record) => {
    loop = foldRecord(loop, record);
    count += 1;
  });
  if (loop === null) throw new JournalError("corrupt", "the journal has no complete record");
  if (count > 2 * RECORDS_PER_SNAPSHOT) writeSnapshot(path, end, loop);
  return { loop, cursor: end };
}

function snapshotPath(path: string): string {
  return join(dirname(path), "snapshot.json");
}

function readSnapshot(path: string): Snapshot | null {
  try {
    const { format, sum, snapshot } = JSON.parse(readBounded(snapshotPath(path), SNAPSHOT_LIMIT_BYTES)) as {
      [key: string]: unknown;
    };
    if (format !== SNAPSHOT_FORMAT || sum !== sumOf(JSON.stringify(snapshot))) return null;
    return isSnapshot(snapshot) ? snapshot : null;
  } catch {
    return null; // it can always be rebuilt
  }
}

/** Only the outline: its sum says whether it is valid, and the journal where it belongs. */
function isSnapshot(value: unknown): value is Snapshot {
  const { cursor, loop } = value as { cursor?: Partial<Cursor>; loop?: Partial<Loop> };
  return isCount(cursor?.seq) && cursor.seq > 0 && isCount(cursor.start) && Array.isArray(loop?.frames);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function writeSnapshot(path: string, cursor: Cursor, loop: Loop): void {
  const snapshot: Snapshot = { cursor, loop };
  try {
    const sum = sumOf(JSON.stringify(snapshot));
    writeAtomically(snapshotPath(path), JSON.stringify({ format: SNAPSHOT_FORMAT, sum, snapshot }));
  } catch {
    // Only speed is lost.
  }
}
