import { digestsOfMustNots } from "../../verify/checks/must-nots.ts";
import type { LoopEvent } from "../../core/event.ts";
import { evolveAll } from "../../core/evolve.ts";
import type { Loop, MustNot } from "../../core/loop.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { addMustNotFiles, approvePlan } from "../../storage/home/loop-lock.ts";

/** Locks a changed verification plan before recording it in the journal: a crash in between leaves the loop trusted as it was. */
export async function recordLocked(
  machine: Machine,
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
  machine: Machine,
  { id, live, workplace }: LockedLoop,
  mustNots: readonly MustNot[],
): Promise<void> {
  if (mustNots.length === 0) return;
  const digests = await digestsOfMustNots(workplace.root, mustNots);
  addMustNotFiles({ home: machine.home, root: live.project.root, loop: id }, digests);
}
