import { lstatSync, readdirSync, rmSync, existsSync } from "node:fs";
import { join } from "node:path";
import { parseLoopId, type LoopId } from "../../core/loop/id.ts";
import { loopFolder, type Project } from "../../storage/home/project.ts";
import { isEnded } from "../../core/loop/loop.ts";
import { holdoutFolder } from "../../verify/holdouts/kept-holdout.ts";
import { baselinesFolder } from "../../verify/baseline/baseline-record.ts";
import { ALL_CHECKPOINTS, dropCheckpoints, listCheckpoints } from "../../worktrees/checkpoints/refs.ts";
import { inspectLoop } from "../../storage/loops/known-loop.ts";
import type { JournalOutside } from "../../storage/journal/journal.ts";
import type { Machine } from "../../storage/loops/machine.ts";

/** Iteration and attempt, `3-1`; in a nested loop with its number in front, `1.3-1`. Of a question its name, `review-1`. */
const TURN_ID = /^(?:(?:\d+\.)?\d+|[A-Za-z][\w-]*)-\d+$/;

/** Where a loop keeps the prompts and outputs of its turns. */
export function runsFolder(project: Project, loop: LoopId): string {
  return join(loopFolder(project, loop), "runs");
}

/** The turns with a folder. Ignores symbolic links, since an agent can put one anywhere in its project. */
export function listTurns(project: Project, loop: LoopId): readonly string[] {
  const runs = runsFolder(project, loop);
  const above = [project.folder, join(project.folder, "loops"), loopFolder(project, loop), runs];
  if (!above.every(isRealFolder)) return [];
  return readdirSync(runs).filter((name) => TURN_ID.test(name) && isRealFolder(join(runs, name)));
}

/** A folder that cannot be deleted stays; nothing fails because of it. */
function dropTurns(project: Project, loop: LoopId): void {
  for (const turn of listTurns(project, loop)) {
    try {
      rmSync(join(runsFolder(project, loop), turn), { recursive: true, force: true });
    } catch {
      // The next run tries again.
    }
  }
}

function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

const KEPT_MS = 14 * 24 * 3_600_000;

/**
 * Deletes checkpoints, openings and outputs of loops that ended two weeks ago: nobody will undo or read them any more. Keeps
 * those of unknown loops: all worktrees of a repository share refs, and the loop may be at work in another worktree.
 */
export async function pruneEndedLoops(machine: Machine, project: Project): Promise<void> {
  const journals = await machine.journals(project).survey();
  const isOver = overForLong(machine, project, journals);
  const refs = (await listCheckpoints(project.root, ALL_CHECKPOINTS)).map(({ ref }) => ref);
  const old: string[] = [];
  for (const ref of refs) if (await isOver(parseLoopId(ref.split("/")[2]))) old.push(ref);
  await dropCheckpoints(project.root, old);
  for (const id of journals.keys()) {
    const openings = baselinesFolder({ home: machine.home, root: project.root, id });
    const hasKept = existsSync(openings) || listTurns(project, id).length > 0;
    if (!hasKept || !(await isOver(id))) continue;
    dropTurns(project, id);
    const holdout = holdoutFolder({ home: machine.home, root: project.root, id });
    for (const folder of [openings, holdout]) rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads each loop once, however many checkpoints it has, and none whose journal was written to lately. */
function overForLong(
  machine: Machine,
  project: Project,
  journals: ReadonlyMap<LoopId, JournalOutside>,
): (id: LoopId | null) => Promise<boolean> {
  const known = new Map<LoopId, boolean>();
  const look = async (id: LoopId): Promise<boolean> => {
    const journal = journals.get(id);
    if (journal === undefined || machine.now() - journal.changedAt <= KEPT_MS) return false;
    const found = await inspectLoop(machine, project, id);
    if (found.type !== "loop") return false;
    const { loop } = found.live;
    return isEnded(loop) && machine.now() - loop.updatedAt > KEPT_MS;
  };
  return async (id) => {
    if (id === null) return false;
    const isOver = known.get(id) ?? (await look(id));
    known.set(id, isOver);
    return isOver;
  };
}
