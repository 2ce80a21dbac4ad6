import type { Loop } from "../../core/loop.ts";
import { isWorkflow } from "../../core/loop.ts";
import { isOwn } from "../../storage/loops/choose-loop.ts";
import { inspectLoops } from "../../storage/loops/locked-loop.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { findProject } from "../../storage/home/project.ts";

/** The workflow of this project that is still open, meant, and changed last; null: there is none. */
export async function unfinishedWorkflow(
  machine: Machine,
  isMeant: (loop: Loop) => boolean = () => true,
): Promise<LockedLoop | null> {
  const found = await inspectLoops(machine, findProject(machine.cwd));
  return found.filter(isOwn).find(({ live }) => isWorkflow(live.loop) && isMeant(live.loop)) ?? null;
}
