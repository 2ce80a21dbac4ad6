import { randomUUID } from "node:crypto";
import { existsSync, type Stats } from "node:fs";
import {
  lstat,
  mkdir,
  open,
  readFile,
  readdir,
  readlink,
  rename,
  rmdir,
  symlink,
  unlink,
} from "node:fs/promises";
import { diskPath } from "../../system/tree/index-entries.ts";

/** A file as git keeps it: a symbolic link's content is its text. */
export interface KeptFile {
  readonly path: string;
  readonly mode: string;
  readonly content: Buffer;
}

const LINK = "120000";
const EXECUTABLE = "100755";

/** Null if it doesn't exist, or is reached through a symbolic link or a file. */
export async function lookAt(root: string, path: string): Promise<Stats | null> {
  return (await hasRealParents(root, path)) ? lstatOrNull(diskPath(root, path)) : null;
}

/**
 * Writes a file atomically. False if something is in the way that isn't ours to remove: a folder that isn't empty, or a file or
 * link where a folder should be.
 */
export async function putFile(root: string, file: KeptFile): Promise<boolean> {
  if (!(await makeParents(root, file.path))) return false;
  const target = diskPath(root, file.path);
  const found = await lstatOrNull(target);
  if (found?.isDirectory() === true && !(await removeEmptyTree(target))) return false;
  const slash = file.path.lastIndexOf("/") + 1;
  const draft = diskPath(root, `${file.path.slice(0, slash)}.loopwright-${randomUUID()}`);
  try {
    if (file.mode === LINK) await symlink(file.content, draft);
    else await writeDraft(draft, file, found);
    await rename(draft, target);
  } catch (error) {
    await unlink(draft).catch(() => {});
    throw error;
  }
  return true;
}

export async function isSame(root: string, file: KeptFile, found: Stats): Promise<boolean> {
  const path = diskPath(root, file.path);
  if (found.isSymbolicLink()) {
    return file.mode === LINK && (await readlink(path, { encoding: "buffer" })).equals(file.content);
  }
  const executable = (found.mode & 0o100) !== 0;
  if (!found.isFile() || file.mode === LINK || executable !== (file.mode === EXECUTABLE)) return false;
  return found.size === file.content.length && (await readFile(path)).equals(file.content);
}

/** Removes folders that are now empty, upwards from where these files were. */
export async function removeEmptied(root: string, paths: readonly string[]): Promise<void> {
  const folders = new Set(paths.flatMap(foldersAbove));
  const deepestFirst = [...folders].toSorted((one, other) => other.length - one.length);
  for (const folder of deepestFirst) {
    if (await hasRealParents(root, folder)) await rmdir(diskPath(root, folder)).catch(() => {});
  }
}

/** Even if its folder became a repository only recently: git still lists such files as the project's. */
export function isInOtherRepository(root: string, path: string): boolean {
  return foldersAbove(path).some((folder) => existsSync(diskPath(root, `${folder}/.git`)));
}

/** For `a/b/c`: `a/b` and `a`. */
function foldersAbove(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, position) => names.slice(0, names.length - position).join("/"));
}

async function writeDraft(draft: Buffer, { mode, content }: KeptFile, found: Stats | null): Promise<void> {
  const file = await open(draft, "wx", mode === EXECUTABLE ? 0o777 : 0o666);
  try {
    await file.writeFile(content);
    if (found?.isFile() === true) await file.chmod(permissions(found.mode & 0o777, mode === EXECUTABLE));
  } finally {
    await file.close();
  }
}

/** Keeps read and write permissions; git only stores whether a file is executable. */
function permissions(present: number, executable: boolean): number {
  return executable ? present | ((present & 0o444) >> 2) | 0o100 : present & ~0o111;
}

async function hasRealParents(root: string, path: string): Promise<boolean> {
  for (const folder of foldersAbove(path)) {
    if ((await lstatOrNull(diskPath(root, folder)))?.isDirectory() !== true) return false;
  }
  return true;
}

async function makeParents(root: string, path: string): Promise<boolean> {
  for (const folder of foldersAbove(path).toReversed()) {
    const found = await lstatOrNull(diskPath(root, folder));
    if (found === null) await mkdir(diskPath(root, folder));
    else if (!found.isDirectory()) return false;
  }
  return true;
}

/** Only if it contains nothing but folders. */
async function removeEmptyTree(folder: Buffer): Promise<boolean> {
  const folders = [folder];
  for (const each of folders) {
    for (const entry of await readdir(each, { withFileTypes: true, encoding: "buffer" })) {
      if (!entry.isDirectory()) return false;
      folders.push(Buffer.concat([each, Buffer.from("/"), entry.name]));
    }
  }
  for (const each of folders.toReversed()) await rmdir(each);
  return true;
}

async function lstatOrNull(path: Buffer): Promise<Stats | null> {
  return lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR" || error.code === "ELOOP") return null;
    throw error;
  });
}
