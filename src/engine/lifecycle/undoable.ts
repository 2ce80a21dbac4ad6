import { existsSync } from "node:fs";
import { parseLoopId, type LoopId } from "../../core/loop/id.ts";
import { UserError } from "../../core/user-error.ts";
import { approvalsElsewhere, loopsApprovedIn } from "../../storage/home/approval-record.ts";
import { findProject, type Project } from "../../storage/home/project.ts";
import { chooseLoopToUndo } from "../../storage/loops/choose-loop.ts";
import { inspectLoops, type KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { ALL_CHECKPOINTS, listCheckpoints, type ListedCheckpoint } from "../../worktrees/checkpoints/refs.ts";

/** A loop whose files can be restored. Its checkpoints are in the repository, and outlive its journal. */
export interface Undoable {
  readonly id: LoopId;
  /** The top folder of the worktree that the files are in. */
  readonly root: string;
  /** null: its journal is gone. */
  readonly known: KnownLoop | null;
}

/** The loop that was worked on last; one whose journal is gone only where no other was. */
export async function chooseUndoable(machine: Machine, wanted: string | undefined): Promise<Undoable> {
  const lost = await lostLoop(machine, findProject(machine.cwd), wanted);
  if (lost !== null) return lost;
  const known = await chooseLoopToUndo(machine, wanted);
  return { id: known.id, root: known.workingDirectory.root, known };
}

/**
 * A loop of this machine with checkpoints and without a journal; null: there is none, or a loop with a journal is meant. Without its
 * name it has to have been in this very worktree, since all worktrees of a repository share their refs.
 */
export async function lostLoop(
  machine: Machine,
  project: Project,
  wanted?: string,
): Promise<Undoable | null> {
  const journals = new Set<string>(await machine.journals(project).list());
  if (
    wanted === undefined
      ? await hasDriven(machine, project)
      : [...journals].some((id) => id.startsWith(wanted))
  )
    return null;
  // Where this machine knows no loop, git runs no command either.
  const opened = openedHere(machine, project, wanted).filter((id) => !journals.has(id));
  if (opened.length === 0) return null;
  const lost = (await listCheckpoints(project.root, ALL_CHECKPOINTS))
    .flatMap((checkpoint) => ownerOf(checkpoint) ?? [])
    .filter(({ id }) => opened.includes(id))
    .filter(({ id, place }) => (wanted === undefined ? place === project.root : id.startsWith(wanted)))
    .toSorted((one, other) => other.at - one.at);
  const [last] = lost;
  if (last === undefined) return null;
  const { id, place } = wanted === undefined ? last : onlyOne(lost, wanted);
  if (place !== null && place !== project.root && existsSync(place)) throw elsewhere(id, place);
  return { id, root: project.root, known: null };
}

/** The loops of this project that this machine opened or trusted. One that is named and was opened elsewhere is an error. */
function openedHere({ home }: Machine, { root }: Project, wanted: string | undefined): readonly LoopId[] {
  const here = loopsApprovedIn(home, root).filter((id) => id.startsWith(wanted ?? ""));
  const loop = wanted === undefined || here.length > 0 ? null : parseLoopId(wanted);
  const other = loop === null ? undefined : approvalsElsewhere({ home, root, loop }).find(isStillThere);
  if (loop !== null && other !== undefined) throw elsewhere(loop, other.root);
  return here;
}

function isStillThere({ root }: { readonly root: string }): boolean {
  return existsSync(root);
}

function elsewhere(id: LoopId, place: string): UserError {
  return new UserError(`The files of ${id} were in ${place}; go there, and run loop undo.`);
}

async function hasDriven(machine: Machine, project: Project): Promise<boolean> {
  const found = await inspectLoops(machine, project);
  return found.some((each) => each.type === "loop" && each.live.loop.driven !== null);
}

type Owned = ListedCheckpoint & { readonly id: LoopId };

/** Before an iteration, by its number; in a nested loop with that loop's number in front, such as `1.3`. */
export const CHECKPOINT_NAME = /^(?:\d+\.)?(\d+)$/;

/** Openings and what tasks of a plan came to are kept beside them, and are no state of these files. */
function ownerOf(checkpoint: ListedCheckpoint): Owned | null {
  const [, , loop, ...rest] = checkpoint.ref.split("/");
  const id = parseLoopId(loop);
  return id === null || !CHECKPOINT_NAME.test(rest.join("/")) ? null : { ...checkpoint, id };
}

function onlyOne(lost: readonly Owned[], wanted: string): Owned {
  const ids = new Set(lost.map(({ id }) => id));
  const only = lost.find(({ id }) => id === wanted || ids.size === 1);
  if (only !== undefined) return only;
  throw new UserError(`"${wanted}" could be ${[...ids].toSorted().join(" or ")}; type more of it`);
}
