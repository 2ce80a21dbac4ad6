import { rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { isDrivenNow } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { Loop } from "../../core/loop/loop.ts";
import { readBounded } from "../../system/files/read-file.ts";
import { writeAtomically } from "../../system/files/write-atomically.ts";
import { ownMark } from "../../system/process/process-facts.ts";
import { loopFolder, type Project } from "../../storage/home/project.ts";
import { noteAfter, quietNote, type LiveNews, type LiveNote } from "../../views/news/live-state.ts";
import { atMostEvery } from "../../system/process/timers.ts";

const SIZE_LIMIT_BYTES = 64 * 1024;
const SHORTEST_PAUSE_MS = 1_000;

const text = v.pipe(v.string(), v.maxLength(1_000));
const time = v.pipe(v.number(), v.finite());

const schema = v.object({
  doing: v.variant("type", [
    v.object({ type: v.picklist(["preparing", "judging", "working", "asking"]) }),
    v.object({ type: v.literal("checking"), name: text }),
    v.object({ type: v.literal("waiting"), until: time, detail: text }),
  ]),
  since: time,
  tool: v.nullable(v.object({ name: text, detail: text })),
  said: v.nullable(text),
  checked: v.array(v.object({ name: text, passed: v.boolean() })),
  turn: v.nullable(text),
  turnUsd: v.nullable(v.pipe(time, v.minValue(0))),
  at: time,
  process: v.object({ pid: v.number(), startedAt: v.string(), boot: v.string() }),
});

export interface LiveNoteKeeper {
  readonly tell: (news: LiveNews) => void;
  readonly forget: () => void;
}

/**
 * Lets others see what a run is doing between two records of the journal. Written at most once a second, and always at the end.
 */
export function keepLiveNote(machine: Machine, project: Project, id: Loop["id"]): LiveNoteKeeper {
  const path = notePath(project, id);
  const process = ownMark();
  let note = quietNote(machine.now());
  let isWritten = false;
  const write = (): void => {
    isWritten = true;
    const text = JSON.stringify({ ...note, at: machine.now(), process });
    try {
      writeAtomically(path, text, { mode: 0o600 });
    } catch {
      // The loop was deleted or the disk is full; the run itself continues.
    }
  };
  const writing = atMostEvery(write, SHORTEST_PAUSE_MS);
  return {
    tell: (news) => {
      const next = noteAfter(note, news, machine.now());
      if (next === note) return;
      note = next;
      writing.soon();
    },
    forget: () => {
      writing.stop();
      // If we never wrote a note, this one may belong to another run.
      if (isWritten) rmSync(path, { force: true });
    },
  };
}

/**
 * What the run is doing now; null when no run drives the loop, or the note isn't from that run. Of an attempt that a worker makes, the
 * run of its plan keeps the note: `keptBy`.
 */
export function readLiveNote(project: Project, loop: Loop, keptBy: Loop = loop): LiveNote | null {
  if (!isDrivenNow(keptBy)) return null;
  const driver = keptBy.driven.process;
  try {
    const parsed = v.safeParse(schema, JSON.parse(readBounded(notePath(project, loop.id), SIZE_LIMIT_BYTES)));
    if (!parsed.success) return null;
    const { process, at: _at, ...note } = parsed.output;
    return process.pid === driver.pid && process.startedAt === driver.startedAt ? note : null;
  } catch {
    return null;
  }
}

function notePath(project: Project, id: Loop["id"]): string {
  return join(loopFolder(project, id), "live.json");
}
