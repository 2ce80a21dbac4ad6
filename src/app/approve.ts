import type { LoopEvent } from "../core/event.ts";
import { evolveAll } from "../core/evolve.ts";
import { approvePlan, rememberProtected } from "../store/loop-lock.ts";
import { transact } from "../store/loop-store.ts";
import { changedPaths, combinedDigest, pathDigests } from "../worktree/path-digests.ts";
import type { ChosenLoop } from "./find-loop.ts";
import { expectPerson } from "./guard.ts";
import type { Machine } from "./machine.ts";
import { UserError } from "./user-error.ts";

export interface ProtectedChange {
  readonly path: string;
  readonly change: "added" | "changed" | "removed";
}

/** What changed among the protected files since a person last looked. */
export async function protectedChanges(chosen: ChosenLoop): Promise<readonly ProtectedChange[]> {
  const { loop, project } = chosen.standing;
  if (loop.protects.length === 0) {
    throw new UserError(`The loop ${loop.id} protects no files; there is nothing to approve.`);
  }
  return changedPaths(
    chosen.lock.protectedFiles,
    await pathDigests({ root: project.root, globs: loop.protects }),
  );
}

/** A person says that the protected files are right as they are now; evidence from now on counts again. */
export async function approveProtected(machine: Machine, chosen: ChosenLoop): Promise<void> {
  await expectPerson(machine, "loop approve", chosen);
  const { project, loop } = chosen.standing;
  const files = await pathDigests({ root: project.root, globs: loop.protects });
  const event: LoopEvent = { type: "protection.approved", digest: combinedDigest(files) };
  await transact(chosen.standing, machine.now, (current) => {
    approvePlan(machine.home, project.root, evolveAll(current, [event], machine.now()));
    return { events: [event], result: undefined };
  });
  rememberProtected(machine.home, project.root, loop.id, files);
}
