import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import type { LoopId } from "../../core/id.ts";
import { parseLoopId } from "../../core/id.ts";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { lockFolder } from "./loop-lock.ts";

const schema = v.object({
  root: v.string(),
  loop: v.custom<LoopId>((value) => parseLoopId(value) !== null),
  /** The session or run that found it missing. */
  session: v.string(),
  at: v.number(),
});

/** What is left of a loop whose folder somebody deleted before it ended. In the state home, which `git clean` does not reach. */
export type Tombstone = Readonly<v.InferOutput<typeof schema>>;

/** The first sighting counts. */
export function buryLoop(home: string, tombstone: Tombstone): void {
  const path = pathIn(lockFolder({ home, root: tombstone.root, loop: tombstone.loop }));
  if (readJsonFile(path, schema) === null) writePrivateJson(path, tombstone);
}

/** Most recently found first. */
export function tombstonesOf(home: string, root: string): readonly Tombstone[] {
  const folder = join(home, "loops");
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .flatMap((name) => readJsonFile(pathIn(join(folder, name)), schema) ?? [])
    .filter((tombstone) => tombstone.root === root)
    .toSorted((one, other) => other.at - one.at);
}

function pathIn(folder: string): string {
  return join(folder, "deleted.json");
}
