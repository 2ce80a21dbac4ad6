import { topFrame } from "../../core/loop/loop.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { CompareOptions } from "./compare.ts";
import { baselinesFolder, type WhichFrame, type WhichLoop } from "./baseline-record.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";

/** Where the openings of the current frame are kept. */
export function baselinesOf(machine: Machine, { id, live }: Pick<KnownLoop, "id" | "live">): WhichFrame {
  return { home: machine.home, root: live.project.root, id, depth: live.loop.frames.length };
}

/** What comparing the current frame with its opening needs. */
export function comparisonOf(
  machine: Machine,
  known: KnownLoop,
  reading: TreeReading | null,
): Omit<CompareOptions, "reports" | "evidence"> {
  const { loop } = known.live;
  return {
    place: { root: known.workingDirectory.root, home: machine.home },
    which: baselinesOf(machine, known),
    folder: loop.folder,
    criteria: topFrame(loop).criteria,
    mayChange: loop.mayChange,
    spec: topFrame(loop).spec,
    reading,
  };
}

const MOST_KEPT = 10_000;

const schema: v.GenericSchema<unknown, readonly string[]> = v.array(v.string());

/** Remembers files that setup or checks of a loop added while no agent worked there. */
export function noteWritten(which: WhichLoop, paths: readonly string[]): void {
  // Without its openings the loop is no longer this machine's.
  if (paths.length === 0 || !existsSync(baselinesFolder(which))) return;
  const known = writtenFiles(which);
  const all = [...new Set([...known, ...paths])].slice(0, MOST_KEPT);
  if (all.length > known.length) writePrivateJson(fileOf(which), all);
}

export function writtenFiles(which: WhichLoop): readonly string[] {
  return readJsonFile(fileOf(which), schema) ?? [];
}

function fileOf(which: WhichLoop): string {
  return join(baselinesFolder(which), "written.json");
}
