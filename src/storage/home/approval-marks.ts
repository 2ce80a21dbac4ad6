import { existsSync, writeFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../../system/files/path-errors.ts";
import { approvalFolder, loopsApprovedIn, type LocalLoop } from "./approval-record.ts";
import { writePrivateJson, readJsonFile } from "../../system/files/json-file.ts";
import * as v from "valibot";
import { parseLoopId, type LoopId } from "../../core/loop/id.ts";

/** Once an attempt has a journal, and before anybody works on it: from then on, a journal that isn't there was deleted. */
export function markBegun(local: LocalLoop): void {
  try {
    writeFileSync(begunPath(local), "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}

export function wasBegun(local: LocalLoop): boolean {
  return existsSync(begunPath(local));
}

function begunPath(local: LocalLoop): string {
  return join(approvalFolder(local), "begun");
}

/**
 * The mark of a stop that may end or pause its loop. It is there before the record is, and until a host has taken the answer: a hook may
 * outlive its client, and then nobody has been told.
 */
export function markUntold(local: LocalLoop): void {
  try {
    writePrivateJson(untoldPath(local), {});
  } catch {
    // no reason to keep the stop from deciding
  }
}

export function isUntold(local: LocalLoop): boolean {
  return existsSync(untoldPath(local));
}

export function markTold(local: LocalLoop): void {
  try {
    rmSync(untoldPath(local), { force: true });
  } catch {
    // then it is told once more
  }
}

function untoldPath(local: LocalLoop): string {
  return join(approvalFolder(local), "untold.json");
}

const tombstoneSchema = v.object({
  root: v.string(),
  loop: v.custom<LoopId>((value) => parseLoopId(value) !== null),
  /** The session or run that found it missing. */
  session: v.string(),
  at: v.number(),
});

/** What is left of a loop whose folder somebody deleted before it ended. In the state home, which `git clean` does not reach. */
export type Tombstone = Readonly<v.InferOutput<typeof tombstoneSchema>>;

/** The first agent event counts. */
export function buryLoop(home: string, tombstone: Tombstone): void {
  const path = tombstoneIn(approvalFolder({ home, root: tombstone.root, loop: tombstone.loop }));
  if (readJsonFile(path, tombstoneSchema) === null) writePrivateJson(path, tombstone);
}

/** Of loops that have no journal here, most recently found first. */
export function tombstonesOf(
  home: string,
  root: string,
  present: Pick<ReadonlySet<LoopId>, "has">,
): readonly Tombstone[] {
  return loopsApprovedIn(home, root)
    .filter((loop) => !present.has(loop))
    .map((loop) => tombstoneIn(approvalFolder({ home, root, loop })))
    .flatMap((path) => (existsSync(path) ? (readJsonFile(path, tombstoneSchema) ?? []) : []))
    .toSorted((one, other) => other.at - one.at);
}

function tombstoneIn(folder: string): string {
  return join(folder, "deleted.json");
}
