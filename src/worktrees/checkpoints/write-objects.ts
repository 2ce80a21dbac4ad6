import { renderPack, headerOf, type GitObject } from "./git-objects.ts";
import { MOST_WRITTEN_OBJECTS } from "./limits.ts";
import type { CheckpointStore } from "./store.ts";
import { randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsync,
  mkdirSync,
  openSync,
  renameSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { deflateSync } from "node:zlib";

/**
 * Writes objects to the repository, safe against a power loss. A few are written without git, which would take longer to start.
 * Git knows the permissions of a shared repository.
 */
export async function keepObjects(store: CheckpointStore, objects: readonly GitObject[]): Promise<void> {
  if (!store.isShared && objects.length <= MOST_WRITTEN_OBJECTS) {
    await writeLooseObjects(store.objects, objects);
  } else {
    await store.run(["unpack-objects", "-q"], { input: renderPack(store.git.hash, objects) });
  }
}

const synced = promisify(fsync);

/** A written file without its final name yet. */
interface Draft {
  readonly file: number;
  readonly path: string;
  readonly target: string;
}

/**
 * Writes objects as git does, one file each, and returns once they are safe against a power loss. A kill may leave drafts, which
 * git ignores and eventually deletes. The names of the objects have to be right.
 */
export async function writeLooseObjects(folder: string, objects: readonly GitObject[]): Promise<void> {
  const drafts: Draft[] = [];
  const touched = new Set<string>();
  try {
    for (const object of new Map(objects.map((each) => [each.id, each])).values()) {
      const target = join(folder, object.id.slice(0, 2), object.id.slice(2));
      if (!isThere(target)) drafts.push(writeDraft(target, object, touched));
    }
    await allSynced(drafts.map(({ file }) => file));
    for (const { path, target } of drafts) {
      renameSync(path, target);
      touched.add(dirname(target));
    }
  } catch (error) {
    for (const { path } of drafts) removeIfThere(path);
    throw error;
  } finally {
    for (const { file } of drafts) closeSync(file);
  }
  await syncFolders([...touched]);
}

/** Like git: an object that is written again counts as new, so it isn't pruned before its ref is set. */
function isThere(target: string): boolean {
  if (!existsSync(target)) return false;
  try {
    const now = Date.now() / 1000;
    utimesSync(target, now, now);
    return true;
  } catch {
    return false;
  }
}

function writeDraft(target: string, { type, content }: GitObject, touched: Set<string>): Draft {
  const folder = dirname(target);
  if (!existsSync(folder)) {
    makeFolder(folder);
    touched.add(dirname(folder));
  }
  const path = join(folder, `tmp_obj_${randomUUID()}`);
  const file = openSync(path, "wx", 0o444);
  try {
    const stored = deflateSync(Buffer.concat([Buffer.from(headerOf(type, content)), content]), { level: 1 });
    for (let at = 0; at < stored.length;) at += writeSync(file, stored, at);
  } catch (error) {
    closeSync(file);
    removeIfThere(path);
    throw error;
  }
  return { file, path, target };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It already has its name, or git deletes it.
  }
}

async function syncFolders(folders: readonly string[]): Promise<void> {
  const opened = folders.map((folder) => openSync(folder, "r"));
  try {
    await allSynced(opened);
  } finally {
    for (const folder of opened) closeSync(folder);
  }
}

/** In parallel, which takes a disk hardly longer than one. Waits for all: none may be closed before. */
async function allSynced(files: readonly number[]): Promise<void> {
  const outcomes = await Promise.allSettled(files.map((file) => synced(file)));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
