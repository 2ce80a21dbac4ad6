import { existsSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { openingsFolder, type WhichOpening } from "./opening-record.ts";

type WhichLoop = Pick<WhichOpening, "home" | "root" | "id">;

const MOST_KEPT = 10_000;

const schema: v.GenericSchema<unknown, readonly string[]> = v.array(v.string());

/** Remembers files that setup or checks of a loop added while no agent worked there. */
export function noteWritten(which: WhichLoop, paths: readonly string[]): void {
  // Without its openings the loop is no longer this machine's.
  if (paths.length === 0 || !existsSync(openingsFolder(which))) return;
  const known = writtenFiles(which);
  const all = [...new Set([...known, ...paths])].slice(0, MOST_KEPT);
  if (all.length > known.length) writePrivateJson(fileOf(which), all);
}

export function writtenFiles(which: WhichLoop): readonly string[] {
  return readJsonFile(fileOf(which), schema) ?? [];
}

function fileOf(which: WhichLoop): string {
  return join(openingsFolder(which), "written.json");
}
