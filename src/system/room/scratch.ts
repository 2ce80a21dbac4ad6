import { randomBytes } from "node:crypto";
import { statfsSync } from "node:fs";
import { chmod, mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../files/path-errors.ts";
import { isStillAlive, ownMark } from "../process/process-facts.ts";

/** The owner of a room: process, its start, the machine's start; then an id. */
const NAME = /^(\d+)_((?:[\w.:-]|%[0-9A-F]{2})*?)_([\w-]*)_[0-9a-f]{12}$/;

/** With less space than this, a failure may be due to the full disk. */
const FULL_BELOW_BYTES = 1024 * 1024;

/** Where the rooms of a state home are. */
export function roomsFolder(home: string): string {
  return join(home, "rooms");
}

/** A private folder for one room. Its name contains its owner from the start, so leftovers can be recognized. */
export async function createScratch(parent: string): Promise<string> {
  const { pid, startedAt, boot } = ownMark();
  const id = randomBytes(6).toString("hex");
  const folder = join(parent, [pid, startedAt, boot, id].map(encodeURIComponent).join("_"));
  await mkdir(parent, { recursive: true, mode: 0o700 });
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    throw isFull(parent) ? fullDisk(parent) : error;
  }
  return folder;
}

/** Removes what rooms of dead processes left behind. What cannot be removed, such as another user's, does no harm. */
export async function sweepRooms(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) if (isStray(name)) await removeScratch(join(parent, name)).catch(() => {});
}

/** An overlay or a test may leave folders that not even their owner can enter. */
export async function removeScratch(folder: string): Promise<void> {
  try {
    await chmod(folder, 0o700);
    const entries = await readdir(folder, { withFileTypes: true });
    const files = entries.filter((each) => !each.isDirectory());
    await Promise.all(files.map(({ name }) => rm(join(folder, name), { force: true })));
    for (const each of entries) if (each.isDirectory()) await removeScratch(join(folder, each.name));
    await rmdir(folder);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error; // Somebody else removes it too.
  }
}

/** Whether a failure in this folder may be due to a full disk. */
export function isFull(folder: string): boolean {
  const { bavail, bsize, ffree, files } = statfsSync(folder);
  return bavail * bsize < FULL_BELOW_BYTES || (files > 0 && ffree === 0);
}

export function fullDisk(folder: string): RoomError {
  return new RoomError(`no space left for the clean room in ${folder}; free some and try again`);
}

function isStray(name: string): boolean {
  const [, pid, startedAt = "", boot = ""] = NAME.exec(name) ?? [];
  if (pid === undefined) return false;
  return !isStillAlive({ pid: Number(pid), startedAt: decodeURIComponent(startedAt), boot });
}

/** The room itself failed, so the result of a command in it doesn't count. */
export class RoomError extends Error {
  override readonly name = "RoomError";
}
