import { setTimeout as sleep } from "node:timers/promises";
import type { LoopEvent } from "../../core/events/event.ts";
import { evolveAll } from "../../core/events/evolve.ts";
import type { LoopId } from "../../core/loop/id.ts";
import { isEnded, type Loop } from "../../core/loop/loop.ts";
import { eventsOfClaims } from "../../core/stop/claims.ts";
import type { Claim } from "../../core/stop/facts.ts";
import { JournalError } from "../journal/journal-error.ts";
import { foldRecord, type Cursor, type Journal, type LoadedJournal } from "../journal/journal.ts";
import type { Project } from "../home/project.ts";
import { writeProjections, readStateFile } from "../home/projections.ts";
import { redactor } from "../../system/secrets/redact.ts";
import type { Machine } from "./machine.ts";
import { redactEvent } from "./redact-event.ts";

/** A loop that a process works on: its last seen state, and the only way to change it. */
export interface LiveLoop {
  readonly id: LoopId;
  /** Where its records are. */
  readonly project: Project;
  readonly journal: Journal;
  readonly loop: Loop;
  readonly cursor: Cursor;
  /** Reads what others appended. The cost depends on what is new. */
  readonly refresh: () => Promise<Loop>;
  /** The same, including `state.json`. */
  readonly look: () => Promise<Glance>;
  /** Appends what `decide` returns for the current loop, after the claims from an edit of `state.json`. */
  readonly record: (decide: Decide) => Promise<Loop>;
  /** The same for a decision that judges the claims itself and has a result. Without events, nothing is written. */
  readonly transact: <Result>(
    decide: (glance: Glance) => Promise<Decided<Result>> | Decided<Result>,
  ) => Promise<Result>;
  /** Reports the current loop, and again whenever somebody changes it. Returns a function that ends this. */
  readonly onChange: (listener: ChangeListener) => () => void;
}

interface ChangeListener {
  readonly changed: (loop: Loop) => void;
  /** Why it cannot be read right now. */
  readonly failed: (error: unknown) => void;
}

type Decide = (loop: Loop) => readonly LoopEvent[] | Promise<readonly LoopEvent[]>;

/** One reading of a loop and its `state.json`. */
interface Glance {
  readonly loop: Loop;
  /** What somebody wrote to `state.json`. */
  readonly claims: readonly Claim[];
  /** Why `state.json` is damaged; the file is kept for inspection. */
  readonly damage: string | null;
}

export interface Decided<Result> {
  readonly events: readonly LoopEvent[];
  readonly result: Result;
}

const LOOK_MS = 500;

export async function openLiveLoop(
  { now, journals, env }: Pick<Machine, "now" | "journals" | "env">,
  project: Project,
  id: LoopId,
): Promise<LiveLoop> {
  const journal = journals(project).of(id);
  return liveLoop({ now, env }, project, journal, await journal.load());
}

function liveLoop(
  { now, env }: Pick<Machine, "now" | "env">,
  project: Project,
  journal: Journal,
  loaded: LoadedJournal,
): LiveLoop {
  const follower = journal.follow(loaded.cursor);
  let known = loaded;
  const redact = redactor(env);

  const learn = (later: LoadedJournal): void => {
    if (later.cursor.seq > known.cursor.seq) known = later;
  };

  const refresh = async (): Promise<Loop> => {
    const { seq } = known.cursor;
    const end = await follower.next((record, cursor) => {
      // What this process appended is already known.
      if (cursor.seq > known.cursor.seq) learn({ loop: foldRecord(known.loop, record), cursor });
    });
    expectRecord(end, seq);
    return known.loop;
  };

  /** A consistent moment: the decision follows exactly the loop that was read, whatever this process appends meanwhile. */
  const glance = async (): Promise<{ readonly seen: LoadedJournal; readonly glance: Glance }> => {
    await refresh();
    let seen = known;
    let file = readStateFile(project, seen.loop, seen.cursor.seq);
    if (file.type === "ahead") {
      // Another writer may have come in between: its record is in the journal before its projection.
      await refresh();
      seen = known;
      expectRecord(seen.cursor, file.sequence);
      file = readStateFile(project, seen.loop, seen.cursor.seq);
    }
    const claims = file.type === "edited" ? file.claims : [];
    return {
      seen,
      glance: { loop: seen.loop, claims, damage: file.type === "unreadable" ? file.why : null },
    };
  };

  /** If another writer was first, decides again with that writer's record included, so no event is lost. */
  const transact: LiveLoop["transact"] = async (decide) => {
    for (let attempt = 0; ; attempt += 1) {
      const looked = await glance();
      const { loop: before, cursor } = looked.seen;
      const { events: decided, result } = await decide(looked.glance);
      if (decided.length === 0) return result;
      const events = decided.map((event) => redactEvent(event, redact));
      const at = now();
      const loop = evolveAll(before, events, at);
      const appended = await journal.append(cursor, at, events);
      if (appended.type === "won") {
        const after = { loop, cursor: appended.cursor };
        learn(after);
        journal.remember(after);
        await writeProjections(project, loop, after.cursor.seq);
        return result;
      }
      learn({ loop: appended.records.reduce(foldRecord, before), cursor: appended.cursor });
      await backOff(attempt);
    }
  };

  return {
    id: loaded.loop.id,
    project,
    journal,
    get loop() {
      return known.loop;
    },
    get cursor() {
      return known.cursor;
    },
    refresh,
    look: async () => (await glance()).glance,
    transact,
    record: async (decide) => {
      await transact(async ({ loop, claims }) => {
        const claimed = isEnded(loop) ? [] : eventsOfClaims(loop, { claims, marker: false, signals: [] });
        const events = await decide(claimed.length === 0 ? loop : evolveAll(loop, claimed, now()));
        return { events: [...claimed, ...events], result: undefined };
      });
      return known.loop;
    },
    onChange: (listener) => {
      const ended = new AbortController();
      void tellChanges(refresh, listener, ended.signal);
      return () => ended.abort();
    },
  };
}

/** One reading after the other, however long each takes; no callback after the end. */
async function tellChanges(
  refresh: () => Promise<Loop>,
  listener: ChangeListener,
  ended: AbortSignal,
): Promise<void> {
  let told: Loop | null = null;
  while (!ended.aborted) {
    const found = await refresh().catch((error: unknown) => ({ error }));
    if (ended.aborted) return;
    if ("error" in found) listener.failed(found.error);
    else if (found !== told) listener.changed(found);
    told = "error" in found ? null : found;
    await sleep(LOOK_MS, undefined, { signal: ended }).catch(() => undefined);
  }
}

function expectRecord({ seq }: Cursor, sequence: number): void {
  if (seq >= sequence) return;
  throw new JournalError(
    "corrupt",
    `the journal ends at record ${seq}, but record ${sequence} had been written`,
  );
}

/** Random backoff for concurrent writers; the wait grows with their number. */
async function backOff(attempt: number): Promise<void> {
  const longest = Math.min(100, 2 ** Math.min(attempt, 6));
  await new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
}
