import type { LoopEvent } from "../core/event.ts";
import { evolveAll } from "../core/evolve.ts";
import type { LoopId } from "../core/id.ts";
import type { Loop } from "../core/loop.ts";
import { isEnded } from "../core/loop.ts";
import { eventsOfClaims } from "../core/stop/claims.ts";
import type { Claim } from "../core/stop/facts.ts";
import { appendRecord } from "../journal/append.ts";
import { JournalError } from "../journal/journal-error.ts";
import type { LoadedJournal } from "../journal/load.ts";
import { foldRecords, loadJournal, takeSnapshot } from "../journal/load.ts";
import type { Project } from "../store/project.ts";
import { journalPath } from "../store/project.ts";
import { writeProjections } from "../store/projections.ts";
import type { StateFile } from "../store/state-file.ts";
import { readStateFile } from "../store/state-file.ts";

/** A loop as it stands, and the place in its journal where that is known. */
export interface Standing extends LoadedJournal {
  readonly project: Project;
  /** `state.json` is damaged; it is left for inspection, and says why here. */
  readonly damagedStateFile: string | null;
}

/** Loads a loop and takes edits of `state.json` in as claims, which count from the next append on. */
export function loadLoop(project: Project, id: LoopId): Standing {
  const path = journalPath(project, id);
  let journal = loadJournal(path);
  for (;;) {
    const file = readStateFile(project, journal.loop, journal.cursor.seq);
    if (file.type !== "ahead") return { ...journal, project, damagedStateFile: damageOf(file) };
    // Another writer may have come in between: its record is in the journal before its projection is written.
    journal = loadJournal(path);
    if (journal.cursor.seq < file.sequence) {
      throw new JournalError(
        "corrupt",
        `the journal ends at record ${journal.cursor.seq}, but record ${file.sequence} had been written`,
      );
    }
  }
}

function damageOf(file: StateFile): string | null {
  return file.type === "unreadable" ? file.why : null;
}

/** Appends what `decide` makes of the loop, after what an edit of `state.json` claims. */
export async function transact<Result>(
  standing: Standing,
  now: () => number,
  decide: (loop: Loop) => Promise<Decided<Result>> | Decided<Result>,
): Promise<Outcome<Result>> {
  return transactWithClaims(standing, now, async (loop, claims) => {
    const claimed = isEnded(loop) ? [] : eventsOfClaims(loop, { claims, marker: false, signals: [] });
    const change = await decide(claimed.length === 0 ? loop : evolveAll(loop, claimed, now()));
    return { ...change, events: [...claimed, ...change.events] };
  });
}

/**
 * Appends what `decide` makes of the loop as it stands now, and of the claims that somebody wrote into
 * `state.json`. When another writer was first, it decides again on what that one wrote: no event of either
 * is lost. No events means that nothing is to be written.
 */
export async function transactWithClaims<Result>(
  standing: Standing,
  now: () => number,
  decide: (loop: Loop, claims: readonly Claim[]) => Promise<Decided<Result>> | Decided<Result>,
): Promise<Outcome<Result>> {
  let current = standing;
  for (let attempt = 0; ; attempt += 1) {
    const file = readStateFile(current.project, current.loop, current.cursor.seq);
    const { events, result } = await decide(current.loop, file.type === "edited" ? file.claims : []);
    if (events.length === 0) return { result, standing: current };
    const at = now();
    const loop = evolveAll(current.loop, events, at);
    const path = journalPath(current.project, current.loop.id);
    const appended = appendRecord(path, current.cursor, at, events);
    if (appended.type === "won") {
      takeSnapshot(path, appended.cursor, loop);
      writeProjections(current.project, loop, appended.cursor.seq);
      return {
        result,
        standing: { ...current, loop, cursor: appended.cursor, damagedStateFile: damageOf(file) },
      };
    }
    current = {
      ...current,
      loop: foldRecords(current.loop, appended.records),
      cursor: appended.cursor,
    };
    await backOff(attempt);
  }
}

export interface Decided<Result> {
  readonly events: readonly LoopEvent[];
  readonly result: Result;
}

export interface Outcome<Result> {
  readonly result: Result;
  readonly standing: Standing;
}

/** Many writers at once get out of each other's way; the wait grows with the crowd. */
async function backOff(attempt: number): Promise<void> {
  const longest = Math.min(100, 2 ** Math.min(attempt, 6));
  await new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
}
