import { readFileSync, closeSync, constants, fstatSync, openSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sweepDrafts, writeAtomically } from "../../system/files/write-atomically.ts";
import type { JournalEntry } from "../../core/events/event.ts";
import { followEntries } from "../../storage/loops/journal-entries.ts";
import type { LiveLoop } from "../../storage/loops/live-loop.ts";
import { loopFolder } from "../../storage/home/project.ts";
import { attemptRows, iterationRows } from "../../views/files/iterations.ts";
import type { IterationRow, IterationRows } from "../../views/files/iterations.ts";
import { summaryView } from "../../views/files/summary.ts";
import type { RunContext } from "./run-context.ts";
import type { BigIntStats } from "node:fs";

/** A summary only needs the last ones. */
const SUMMARY_ROWS = 200;

interface Artifacts {
  /** Reads new records and appends the iterations that ended. */
  readonly update: () => Promise<void>;
  readonly finish: () => Promise<void>;
}

/**
 * What a run leaves behind: `iterations.jsonl` grows by a line per iteration, `summary.md` is written at the end. Both start
 * with what the journal knows about earlier runs. A project has one of each, so with two runs at once each file is about one
 * loop or the other, never half of both. An attempt is part of a workflow, and leaves neither.
 */
export async function keepArtifacts(context: RunContext): Promise<Artifacts> {
  const { live, tell } = context;
  const { id, journal, project } = live;
  const follow = followEntries(journal);
  const fold = iterationRows(id);
  let rows: readonly IterationRow[] = [];
  let count = 0;
  /** The row of an iteration still in progress, at the end. */
  let last: readonly IterationRow[] = [];
  const take = (entries: readonly JournalEntry[]): readonly IterationRow[] => {
    const fresh = rowsOf(entries, fold);
    rows = [...rows, ...fresh].slice(-SUMMARY_ROWS);
    count += fresh.length;
    return fresh;
  };
  const iterations = growingFile(join(project.folder, "iterations.jsonl"), async () =>
    // The journal may have grown since; later records are appended in their turn.
    textOf([...rowsOf(await followEntries(journal)(), iterationRows(id)).slice(0, count), ...last]),
  );
  const isPart = live.loop.attemptOf !== null;
  const grow = async (more: readonly IterationRow[]): Promise<void> => {
    if (!isPart) await attempt(async () => iterations.grow(textOf(more)));
  };
  for (const folder of [project.folder, join(project.folder, "shape"), loopFolder(project, id)])
    await attempt(() => sweepDrafts(folder));
  const known = (await attempt(follow)) ?? [];
  take(known);
  await grow([]);
  tell({ type: "recorded", entries: ofThisRun(known, context) });

  const update = async (): Promise<void> => {
    const entries = (await attempt(follow)) ?? [];
    if (entries.length === 0) return;
    const fresh = take(entries);
    if (fresh.length > 0) await grow(fresh);
    tell({ type: "recorded", entries });
  };
  return {
    update,
    finish: async () => {
      await update();
      // The row so far; if the iteration continues, the next run writes it again.
      const open = fold.unfinished();
      last = open === null ? [] : [open];
      await grow(last);
      if (isPart) return;
      await attempt(async () => {
        const summary = summaryView(await live.refresh(), [...rows, ...last]);
        writeAtomically(join(project.folder, "summary.md"), summary);
      });
    },
  };
}

/** What the run of a plan leaves behind. Its iterations are the attempts; those have journals with the turns of each. */
export async function writePlanArtifacts({ id, journal, project, loop }: LiveLoop): Promise<void> {
  await attempt(async () => {
    const rows = attemptRows(id, await followEntries(journal)());
    writeAtomically(join(project.folder, "iterations.jsonl"), textOf(rows));
    writeAtomically(join(project.folder, "summary.md"), summaryView(loop, []));
  });
}

/** Updates the files from the journal when somebody ends a loop that no run drives, if the files are about that loop. */
export async function writeArtifacts(live: LiveLoop): Promise<void> {
  const { id, journal, project, loop } = live;
  await attempt(async () => {
    const summary = join(project.folder, "summary.md");
    if (!readFileSync(summary, "utf8").includes(`- Loop: \`${id}\``)) return;
    if (loop.workflow !== null) {
      await writePlanArtifacts(live);
      return;
    }
    const fold = iterationRows(id);
    const over = rowsOf(await followEntries(journal)(), fold);
    const rows = [...over, fold.unfinished()].filter((row) => row !== null);
    writeAtomically(join(project.folder, "iterations.jsonl"), textOf(rows));
    writeAtomically(summary, summaryView(loop, rows.slice(-SUMMARY_ROWS)));
  });
}

function rowsOf(entries: readonly JournalEntry[], fold: IterationRows): readonly IterationRow[] {
  return entries.flatMap(({ event, at }) => fold.take(event, at));
}

function textOf(rows: readonly IterationRow[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** Reports a loop that was opened for this run from its opening on. */
function ofThisRun(entries: readonly JournalEntry[], { run }: RunContext): readonly JournalEntry[] {
  const first = entries.findIndex(({ event }) => event.type === "run.began");
  const own = entries.findIndex(({ event }) => event.type === "run.began" && event.run === run);
  return own === first ? entries : entries.slice(Math.max(0, own));
}

/** They can be rebuilt from the journal, and a deleted folder stays deleted. */
async function attempt<Value>(act: () => Value | Promise<Value>): Promise<Value | null> {
  try {
    return await act();
  } catch {
    return null;
  }
}

const TO_APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * A file that grows. If it was deleted, edited or replaced by another process that writes the same file, it is written again as
 * a whole.
 */
export function growingFile(
  path: string,
  whole: () => Promise<string>,
): { readonly grow: (text: string) => Promise<void> } {
  let left: string | null = null;
  /** Uses one handle, so a file that replaces it meanwhile isn't appended to. */
  const append = (text: string): boolean => {
    const file = openOrNull(path);
    if (file === null) return false;
    try {
      if (identityOf(fstatSync(file, { bigint: true })) !== left) return false;
      writeFileSync(file, text);
      left = identityOf(fstatSync(file, { bigint: true }));
      return true;
    } finally {
      closeSync(file);
    }
  };
  const replace = async (): Promise<void> => {
    const text = await whole();
    writeAtomically(path, text);
    const found = statSync(path, { bigint: true });
    // A different size means that somebody else has changed it.
    left = Number(found.size) === Buffer.byteLength(text) ? identityOf(found) : null;
  };
  return {
    grow: async (text) => {
      if (!append(text)) await replace();
    },
  };
}

function openOrNull(path: string): number | null {
  try {
    return openSync(path, TO_APPEND);
  } catch {
    return null;
  }
}

/** Inode numbers are soon reused, so the number alone is not enough. */
function identityOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].join(" ");
}
