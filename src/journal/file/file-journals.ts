import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { LoopId } from "../../core/id.ts";
import { parseLoopId } from "../../core/id.ts";
import { appendRecord } from "./append.ts";
import { createJournal } from "./create.ts";
import type { Cursor, Follower, Journal, Journals } from "../journal.ts";
import { loadJournal, takeSnapshot } from "./load.ts";
import { readJournal } from "./read.ts";

/** Journals as files, each in the folder of its loop: `LOOPS/ID/journal.jsonl`. */
export function fileJournals(loops: string): Journals {
  return {
    list: async () => listLoops(loops),
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
  };
}

function fileFollower(path: string, from: Cursor): Follower {
  let cursor = from;
  let seen: string | null = null;
  return {
    // Without a pause within: two calls at once tell each record once.
    next: async (each) => {
      // Read only when it has changed: a look costs one call of the system.
      const stat = statSync(path, { throwIfNoEntry: false });
      const found = stat === undefined ? null : `${stat.dev}:${stat.ino}:${stat.size}`;
      if (found !== null && found === seen) return;
      cursor = readJournal(path, cursor, each);
      seen = found;
    },
  };
}

function listLoops(loops: string): readonly LoopId[] {
  let names: string[];
  try {
    names = readdirSync(loops);
  } catch {
    return [];
  }
  const found = names.flatMap((name) => {
    const id = parseLoopId(name);
    // A folder without a journal is an opening that never finished, or a loop that was deleted.
    const stat = id === null ? undefined : statSync(pathOf(loops, id), { throwIfNoEntry: false });
    return id === null || stat === undefined ? [] : [{ id, changedAt: stat.mtimeMs }];
  });
  return found.toSorted((one, other) => other.changedAt - one.changedAt).map(({ id }) => id);
}

function pathOf(loops: string, id: LoopId): string {
  return join(loops, id, "journal.jsonl");
}
