import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { topFrame, type Loop } from "../../core/loop/loop.ts";
import { createApproval } from "../../storage/home/approval-record.ts";
import { markBegun } from "../../storage/home/approval-marks.ts";
import { noteElsewhere, type Elsewhere } from "../../storage/home/elsewhere.ts";
import { createLoopFolder, createProjectFolder, type Project } from "../../storage/home/project.ts";
import { AT_THE_BEGINNING, foldRecord, type Cursor } from "../../storage/journal/journal.ts";
import { JournalError } from "../../storage/journal/journal-error.ts";
import type { JournalRecord } from "../../storage/journal/record.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { keepLiveNote, type LiveNoteKeeper } from "../run/live-note-file.ts";
import type { RunNews } from "../../views/news/news.ts";
import type { AttemptEnvelope } from "../plan/executor.ts";
import { fleetFolder } from "./keys.ts";

/**
 * The journal of an attempt that runs elsewhere, copied as it grows: `loop log`, `loop status` and the dashboard read it like any
 * other. What can't be copied is only not shown.
 */
export class AttemptMirror {
  readonly #machine: Machine;
  readonly #project: Project;
  readonly #envelope: AttemptEnvelope;
  readonly records: JournalRecord[] = [];
  readonly #note: LiveNoteKeeper;
  #loop: Loop | null = null;
  #isWhole = true;
  #copied: Promise<Cursor | null>;

  constructor(machine: Machine, project: Project, envelope: AttemptEnvelope) {
    this.#machine = machine;
    this.#project = project;
    this.#envelope = envelope;
    this.#copied = this.#cursor();
    this.#note = keepLiveNote(machine, project, envelope.loop);
  }

  /** What its agent does between two records. */
  tell(news: RunNews): void {
    this.#note.tell(news);
  }

  get loop(): Loop | null {
    return this.#loop;
  }

  /** False: its worker has a later version, and wrote what can't be read here. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** From now on it isn't copied. Its result counts all the same. */
  endHere(): void {
    this.#isWhole = false;
  }

  /** The next record; one that was there already changes nothing. False: it doesn't fit, and somebody made it up. */
  take(record: JournalRecord): boolean {
    const known = this.records.length;
    if (record.follows < known || !this.#isWhole) return true;
    if (record.follows > known) return false;
    const loop = foldedOrNull(this.#loop, record);
    if (loop === null || !isOf(loop, this.#envelope)) return false;
    this.#loop = loop;
    this.records.push(record);
    this.#copied = this.#copied.then(async (cursor) => this.#copy(cursor, record, loop));
    return true;
  }

  /** Before its first record: whoever finds the copy knows what it is one of. */
  runsIn(where: Elsewhere): void {
    noteElsewhere({ home: this.#machine.home, root: this.#project.root, loop: this.#envelope.loop }, where);
  }

  /** When all that was taken is on the disk. Nobody tells anything any more. */
  async settled(): Promise<void> {
    this.#note.forget();
    await this.#copied;
  }

  async #cursor(): Promise<Cursor | null> {
    try {
      const { loop } = this.#envelope;
      const journals = this.#machine.journals(this.#project);
      if (!(await journals.list()).includes(loop)) return AT_THE_BEGINNING;
      return await journals
        .of(loop)
        .follow(AT_THE_BEGINNING)
        .next(() => undefined);
    } catch {
      return null;
    }
  }

  async #copy(cursor: Cursor | null, record: JournalRecord, loop: Loop): Promise<Cursor | null> {
    if (cursor === null || record.follows !== cursor.seq) return cursor;
    try {
      const journals = this.#machine.journals(this.#project);
      if (cursor.seq > 0) {
        const added = await journals.of(loop.id).append(cursor, record.at, record.events);
        // Somebody here has ended it meanwhile.
        return added.type === "won" ? added.cursor : null;
      }
      this.#approve(loop);
      return await journals.create(loop.id, record.at, record.events);
    } catch (error) {
      if (error instanceof JournalError) return null;
      throw error;
    }
  }

  /** Its commands are those that were sent. They never run here: its worktree is an empty folder. */
  #approve(loop: Loop): void {
    const { home } = this.#machine;
    const { root } = this.#project;
    const worktree = join(fleetFolder(home), "elsewhere");
    mkdirSync(join(worktree, this.#envelope.folder), { recursive: true, mode: 0o700 });
    createProjectFolder(this.#project);
    createApproval(home, loop, { root, worktree, protectedFiles: {}, mustNotFiles: {} });
    createLoopFolder(this.#project, loop.id);
    markBegun({ home, root, loop: loop.id });
  }
}

function foldedOrNull(loop: Loop | null, record: JournalRecord): Loop | null {
  try {
    return foldRecord(loop, record);
  } catch (error) {
    if (error instanceof JournalError) return null;
    throw error;
  }
}

/** Whether it is the loop that was asked for, held to the same. */
function isOf(loop: Loop, { loop: id, workflow, criteria, mustNots }: AttemptEnvelope): boolean {
  const held = topFrame(loop).criteria.map(({ name, check }) => ({ name, check }));
  const asked = criteria.map(({ name, check }) => ({ name, check }));
  return (
    loop.id === id &&
    loop.attemptOf?.loop === workflow &&
    isDeepStrictEqual(held, asked) &&
    isDeepStrictEqual(loop.mustNots, mustNots)
  );
}
