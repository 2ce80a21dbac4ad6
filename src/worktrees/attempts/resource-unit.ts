import { randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { errnoOf } from "../../system/files/errno.ts";
import { readJsonFile } from "../../system/files/json-file.ts";
import { isStillAlive, ownMark } from "../../system/process/process-mark.ts";

/** One unit of a resource, held by this process. */
export interface Unit {
  release(): void;
}

const schema = v.object({ pid: v.number(), startedAt: v.string(), boot: v.string() });

/**
 * A unit is a folder with numbered files; the highest names the holder, or nobody. To take it is to make the next one, which only one
 * can. No file is ever replaced, so a dead holder's unit is taken over in the same step by one process alone.
 */
export function takeUnit(folder: string): Unit | null {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const before = highestIn(folder);
  if (before > 0) {
    const mark = readJsonFile(fileOf(folder, before), schema);
    if (mark !== null && isStillAlive(mark)) return null;
  }
  const ours = before + 1;
  // Whoever looked long ago may make a file that others have gone past.
  if (!make(folder, ours, ownMark()) || highestIn(folder) !== ours) return null;
  removeBelow(folder, ours);
  return {
    release: () => {
      if (highestIn(folder) === ours && make(folder, ours + 1, null)) removeBelow(folder, ours + 1);
    },
  };
}

function make(folder: string, number: number, content: unknown): boolean {
  const draft = join(folder, `draft-${randomUUID()}`);
  writeFileSync(draft, JSON.stringify(content), { flag: "wx", mode: 0o600 });
  try {
    linkSync(draft, fileOf(folder, number));
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function highestIn(folder: string): number {
  return Math.max(0, ...numbersIn(folder));
}

function removeBelow(folder: string, number: number): void {
  for (const each of numbersIn(folder)) if (each < number) rmSync(fileOf(folder, each), { force: true });
}

function numbersIn(folder: string): readonly number[] {
  return readdirSync(folder).flatMap((name) => (/^\d{1,15}$/.test(name) ? [Number(name)] : []));
}

function fileOf(folder: string, number: number): string {
  return join(folder, String(number));
}
