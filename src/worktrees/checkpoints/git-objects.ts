import { errnoOf } from "../../system/files/path-errors.ts";
import { createHash, randomUUID } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { Version } from "./content.ts";
import type { ObjectHash } from "../../system/git/git-files.ts";
import { MOST_WRITTEN_OBJECTS } from "./checkpoint-sizes.ts";
import type { CheckpointStore } from "./store.ts";
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

/** As git would write it, under the name git would give it. */
export interface GitObject {
  readonly type: "commit" | "tree" | "blob";
  readonly id: string;
  readonly content: Buffer;
}

const PACKED_TYPES = { commit: 1, tree: 2, blob: 3 } as const;

export function gitObject(hash: ObjectHash, type: GitObject["type"], content: Buffer): GitObject {
  const id = createHash(hash).update(headerOf(type, content)).update(content).digest("hex");
  return { type, id, content };
}

/** The header before an object's content, both in its file and for its name. */
function headerOf(type: GitObject["type"], content: Buffer): string {
  return `${type} ${content.length}\0`;
}

/** One per folder, the root last. The files are in the order of git's index. */
export function treesOf(
  hash: ObjectHash,
  files: readonly (readonly [string, Version])[],
): readonly GitObject[] {
  const trees: GitObject[] = [];
  const addTree = (from: number, to: number, depth: number): string => {
    const rows: Buffer[] = [];
    for (let at = from; at < to;) {
      const [path, version] = files[at] ?? ["", ""];
      const slash = path.indexOf("/", depth);
      let next = at + 1;
      if (slash === -1) {
        rows.push(treeRow(version.slice(0, 6), path.slice(depth), version.slice(7)));
      } else {
        const folder = path.slice(0, slash + 1);
        while (next < to && files[next]?.[0].startsWith(folder) === true) next += 1;
        rows.push(treeRow("40000", path.slice(depth, slash), addTree(at, next, slash + 1)));
      }
      at = next;
    }
    const tree = gitObject(hash, "tree", Buffer.concat(rows));
    trees.push(tree);
    return tree.id;
  };
  addTree(0, files.length, 0);
  return trees;
}

/** One entry of a folder, as a tree has it. */
export function treeRow(mode: string, name: string, id: string): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`, "latin1"), Buffer.from(id, "hex")]);
}

/** What `git unpack-objects` reads. */
export function renderPack(hash: ObjectHash, objects: readonly GitObject[]): Buffer {
  const header = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1");
  header.writeUInt32BE(objects.length, 8);
  const parts = objects.flatMap(({ type, content }) => [
    sizeOf(PACKED_TYPES[type], content.length),
    deflateSync(content, { level: 1 }),
  ]);
  const pack = Buffer.concat([header, ...parts]);
  return Buffer.concat([pack, createHash(hash).update(pack).digest()]);
}

/** Four bits of the size beside the type, then seven in each byte, the lowest first; the highest bit says that more follow. */
function sizeOf(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 128;
    bytes.push(rest & 127);
  }
  return Buffer.from(bytes);
}

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

function looseObject(folder: string, id: string): string {
  return join(folder, id.slice(0, 2), id.slice(2));
}

const synced = promisify(fsync);

/** A written file without its final name yet. */
interface Draft {
  readonly object: GitObject;
  readonly file: number;
  readonly path: string;
  readonly target: string;
}

/**
 * Writes objects as git does, one file each, and returns once they are safe against a power loss. A kill may leave drafts, which
 * git ignores and eventually deletes. The names of the objects have to be right.
 */
export async function writeLooseObjects(folder: string, objects: readonly GitObject[]): Promise<void> {
  let left: readonly GitObject[] = [...new Map(objects.map((each) => [each.id, each])).values()];
  for (let tries = 0; left.length > 0; tries += 1) left = await writeOnce(folder, left, tries < MOST_TRIES);
}

/** How often somebody's `git gc --prune=now` may take drafts, or the empty folder for them, away. */
const MOST_TRIES = 20;

/** Those that were pruned before they had their names, if that is to be expected. */
async function writeOnce(
  folder: string,
  objects: readonly GitObject[],
  mayBePruned: boolean,
): Promise<readonly GitObject[]> {
  const drafts: Draft[] = [];
  const touched = new Set<string>();
  const pruned: GitObject[] = [];
  const unlessPruned = (object: GitObject, work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!mayBePruned || errnoOf(error) !== "ENOENT" || !existsSync(folder)) throw error;
      pruned.push(object);
    }
  };
  try {
    for (const object of objects) {
      const target = looseObject(folder, object.id);
      if (!isThere(target)) unlessPruned(object, () => void drafts.push(writeDraft(target, object, touched)));
    }
    await allSynced(drafts.map(({ file }) => file));
    for (const { object, path, target } of drafts)
      unlessPruned(object, () => {
        renameSync(path, target);
        touched.add(dirname(target));
      });
  } catch (error) {
    for (const { path } of drafts) removeIfThere(path);
    throw error;
  } finally {
    for (const { file } of drafts) closeSync(file);
  }
  await syncFolders([...touched]);
  return pruned;
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

function writeDraft(target: string, object: GitObject, touched: Set<string>): Draft {
  const { type, content } = object;
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
  return { object, file, path, target };
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
  // One that is gone had nothing left in it: git packed it, or pruned it.
  const opened = folders.filter((folder) => existsSync(folder)).map((folder) => openSync(folder, "r"));
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
