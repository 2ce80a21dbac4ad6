import { topFrame } from "../../core/loop/loop.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { CompareOptions } from "./compare.ts";
import type { WhichFrame } from "./opening-record.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";

/** Where the openings of the current frame are kept. */
export function openingsOf(machine: Machine, { id, live }: LockedLoop): WhichFrame {
  return { home: machine.home, root: live.project.root, id, depth: live.loop.frames.length };
}

/** What comparing the current frame with its opening needs. */
export function comparisonOf(
  machine: Machine,
  locked: LockedLoop,
  reading: TreeReading | null,
): Omit<CompareOptions, "reports" | "evidence"> {
  const { loop } = locked.live;
  return {
    place: { root: locked.workplace.root, home: machine.home },
    which: openingsOf(machine, locked),
    folder: loop.folder,
    criteria: topFrame(loop).criteria,
    mayChange: loop.mayChange,
    spec: topFrame(loop).spec,
    reading,
  };
}
