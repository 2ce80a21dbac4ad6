import { digestsOfMustNots, lookAtMustNots } from "../../verify/checks/must-nots.ts";
import type { MustNot, Loop } from "../../core/loop/loop.ts";
import type { LoopLock } from "../../storage/home/loop-lock.ts";
import { combinedDigest, pathDigests } from "../../system/tree/path-digests.ts";
import { checkSiteOf } from "../opening/checks-of-loop.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import { localLoop } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { LoopEvent } from "../../core/events/event.ts";
import { evolveAll } from "../../core/events/evolve.ts";
import { addMustNotFiles, approvePlan } from "../../storage/home/loop-lock.ts";

/** The files a loop guards, read when asked for: changes by its own checks count too. */
export interface GuardedFiles extends Pick<LoopLock, "protectedFiles" | "mustNotFiles"> {
  /** null if nothing is protected. */
  readonly protectedDigest: string | null;
}

export async function guardedFiles(
  root: string,
  { protects, mustNots }: { readonly protects: readonly string[]; readonly mustNots: readonly MustNot[] },
): Promise<GuardedFiles> {
  const protectedFiles = await pathDigests({ root, globs: protects });
  return {
    protectedFiles,
    mustNotFiles: await digestsOfMustNots(root, mustNots),
    protectedDigest: protects.length === 0 ? null : combinedDigest(protectedFiles),
  };
}

/** The first must-not that is currently violated, and how; null when all hold. */
export async function violatedMustNot(
  machine: Machine,
  chosen: LockedLoop,
  signal: AbortSignal,
): Promise<string | null> {
  const { live, lock } = chosen;
  const site = checkSiteOf(machine, chosen, signal);
  const findings = await lookAtMustNots(site, live.loop.mustNots, lock.mustNotFiles);
  const violated = findings.find(({ violation }) => violation !== null);
  return violated === undefined ? null : `${violated.mustNot}: ${violated.violation}`;
}

/** Locks a changed verification plan before recording it in the journal: a crash in between leaves the loop trusted as it was. */
export async function recordLocked(
  machine: Pick<Machine, "home" | "now">,
  { live }: Pick<LockedLoop, "live">,
  decide: (loop: Loop) => readonly LoopEvent[],
): Promise<Loop> {
  return live.record((loop) => {
    const events = decide(loop);
    if (events.length > 0)
      approvePlan(machine.home, live.project.root, evolveAll(loop, events, machine.now()));
    return events;
  });
}

/** Keeps the files of later must-nots as they are now, before the journal has those must-nots. */
export async function guardMustNots(
  machine: Pick<Machine, "home">,
  chosen: LockedLoop,
  mustNots: readonly MustNot[],
): Promise<void> {
  if (mustNots.length === 0) return;
  const digests = await digestsOfMustNots(chosen.workplace.root, mustNots);
  addMustNotFiles(localLoop(machine, chosen), digests);
}
