import type { Loop } from "../core/loop.ts";
import { transact } from "../store/loop-store.ts";
import { checkpointsOfLoop, listCheckpoints } from "../worktree/checkpoint-refs.ts";
import { changesSince, restoreCheckpoint, takeCheckpoint } from "../worktree/checkpoint.ts";
import type { ChosenLoop } from "./find-loop.ts";
import { expectPerson } from "./guard.ts";
import { livingDriver } from "./living-driver.ts";
import type { Machine } from "./machine.ts";
import { UserError } from "./user-error.ts";

export interface Undone {
  readonly iteration: number;
  readonly restored: number;
  readonly removed: number;
  /** What could not be brought back, or was not ours to remove. */
  readonly left: readonly string[];
  /** The commit that keeps the files as they were before this. */
  readonly before: string;
}

export interface KeptCheckpoint {
  readonly iteration: number;
  readonly commit: string;
  readonly at: number;
}

/** The checkpoints of a loop, the first iteration first. */
export async function checkpointsOf({
  standing: { loop, project },
}: ChosenLoop): Promise<readonly KeptCheckpoint[]> {
  const found = await listCheckpoints(project.root, checkpointsOfLoop(loop.id));
  return found.flatMap(({ ref, commit, at }) => {
    const iteration = Number(ref.split("/").at(-1));
    return Number.isSafeInteger(iteration) ? [{ iteration, commit, at }] : [];
  });
}

/** Brings the files back to what they were before an iteration. Commits and the index stay as they are. */
export async function undoIteration(
  machine: Machine,
  chosen: ChosenLoop,
  checkpoint: KeptCheckpoint,
): Promise<Undone> {
  await expectPerson(machine, "undo", chosen);
  const { project, loop } = chosen.standing;
  expectNobodyDrives(loop);
  const place = { root: project.root, stateHome: machine.home };
  const { iteration, commit } = checkpoint;
  // What is undone can itself be brought back, also after another undo.
  const kept = await takeCheckpoint({
    ...place,
    ref: `${checkpointsOfLoop(loop.id)}/before-undo-${machine.now()}`,
    message: `Before undoing iteration ${iteration} of ${loop.id}`,
  });
  if (kept === null)
    throw new UserError("The files as they are now could not be kept, so nothing was undone; see: git fsck");
  await transact(chosen.standing, machine.now, (now) => {
    // A run may have begun while the files were looked through.
    expectNobodyDrives(now);
    return { events: [{ type: "checkpoint.restored", iteration, commit }], result: undefined };
  });
  const { restored, removed, left } = await restoreCheckpoint({ ...place, commit });
  return { iteration, restored, removed, left, before: kept.commit };
}

function expectNobodyDrives(loop: Loop): void {
  const driver = livingDriver(loop);
  if (driver === null) return;
  throw new UserError(
    `The loop ${loop.id} is being driven by process ${driver.pid}; pause it first: loop pause --loop ${loop.id}`,
  );
}

export async function changesToUndo(
  machine: Machine,
  { standing }: ChosenLoop,
  { commit }: KeptCheckpoint,
): ReturnType<typeof changesSince> {
  return changesSince({ root: standing.project.root, stateHome: machine.home, commit });
}
