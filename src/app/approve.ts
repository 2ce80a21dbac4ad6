import type { LoopEvent } from "../core/event.ts";
import { evolveAll } from "../core/evolve.ts";
import { approvePlan, rememberProtected } from "../store/loop-lock.ts";
import { changedPaths, combinedDigest, pathDigests } from "../tree/path-digests.ts";
import type { LockedLoop } from "../loops/locked-loop.ts";
import { expectPerson } from "./expect-person.ts";
import { expectOpen } from "./lifecycle.ts";
import type { Machine } from "../loops/machine.ts";
import { UserError } from "../loops/user-error.ts";

interface ProtectedChange {
  readonly path: string;
  readonly change: "added" | "changed" | "removed";
}

/** The protected files as they are, and what changed since a person last looked; null when that was approved. */
export interface ProtectedFiles {
  readonly files: { readonly [path: string]: string };
  readonly changes: readonly ProtectedChange[];
}

export async function protectedFiles(chosen: LockedLoop): Promise<ProtectedFiles | null> {
  const {
    live: { loop },
    workplace,
  } = chosen;
  if (loop.protects.length === 0) {
    throw new UserError(`The loop ${loop.id} protects no files; there is nothing to approve.`);
  }
  const files = await pathDigests({ root: workplace.root, globs: loop.protects });
  if (combinedDigest(files) === loop.protectedDigest) return null;
  return { files, changes: changedPaths(chosen.lock.protectedFiles, files) };
}

/** A person says that the protected files are right as they were shown; evidence from now on counts again. */
export async function approveProtected(
  machine: Machine,
  chosen: LockedLoop,
  files: ProtectedFiles["files"],
): Promise<void> {
  await expectPerson(machine, "approve", chosen);
  const { project, loop } = chosen.live;
  const event: LoopEvent = { type: "protection.approved", digest: combinedDigest(files) };
  await chosen.live.record((current) => {
    expectOpen(current);
    approvePlan(machine.home, project.root, evolveAll(current, [event], machine.now()));
    return [event];
  });
  rememberProtected(machine.home, project.root, loop.id, files);
}
