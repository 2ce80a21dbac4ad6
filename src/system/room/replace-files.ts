import type { Stats } from "node:fs";
import {
  lchown,
  lstat,
  mkdir,
  readdir,
  rm,
  rmdir,
  symlink,
  unlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../files/path-errors.ts";
import { RoomError } from "./scratch.ts";

export interface Replacement {
  /** Relative to the project, with slashes. */
  readonly path: string;
  /** null: the file is absent in the room. */
  readonly content: Buffer | null;
  /** As git writes it; the content of a symbolic link (120000) is its target. */
  readonly mode: "100644" | "100755" | "120000";
  /** It gets a time before any other, so that whatever builds it does so again. */
  readonly isStale?: boolean;
}

/**
 * Replaces the files in `base` with those of the list. Never follows a link inside `base`: a folder that became one is replaced.
 * Everything written gets one new time, so tools that compare times (`make`) rebuild what is made from it.
 */
export async function replaceFiles(base: string, replacements: readonly Replacement[]): Promise<void> {
  const now = new Date();
  const segmented = replacements.map((each) => ({ ...each, segments: segmentsOf(each.path) }));
  for (const { segments, path, content } of segmented) {
    if (path.endsWith(".py")) await hideBytecode(base, segments);
    if (content === null) await hide(base, segments);
  }
  for (const { segments, content, mode, isStale = false } of segmented)
    if (content !== null) await place(base, segments, { content, mode, time: isStale ? LONG_AGO : now });
}

const LONG_AGO = new Date("1980-01-02T00:00:00Z");

function segmentsOf(path: string): readonly string[] {
  const segments = path.split("/");
  if (segments.some((each) => ["", ".", ".."].includes(each) || each.includes("\0")))
    throw new RoomError(`${JSON.stringify(path)} is not the path of a file in the project`);
  return segments;
}

async function hide(base: string, segments: readonly string[]): Promise<void> {
  const folder = await existingFolder(base, segments.slice(0, -1));
  if (folder === null || !(await removeFile(join(folder, segments.at(-1) ?? "")))) return;
  await removeEmptyFolders(base, segments.slice(0, -1));
}

/** Like git when it removes a file, because an empty folder is still a package to Python. */
async function removeEmptyFolders(base: string, segments: readonly string[]): Promise<void> {
  for (let length = segments.length; length > 0; length -= 1) {
    try {
      await rmdir(join(base, ...segments.slice(0, length)));
    } catch {
      return;
    }
  }
}

/** Python may use compiled code of a source with the same size and second, and runs it even without a source. */
async function hideBytecode(base: string, segments: readonly string[]): Promise<void> {
  const folder = await existingFolder(base, segments.slice(0, -1));
  if (folder === null) return;
  const stem = (segments.at(-1) ?? "").replace(/\.py$/, "");
  await removeFile(join(folder, `${stem}.pyc`));
  const cache = await existingFolder(folder, ["__pycache__"]);
  if (cache === null) return;
  for (const name of await readdir(cache))
    if (name.startsWith(`${stem}.`)) await removeFile(join(cache, name));
  await removeEmptyFolders(folder, ["__pycache__"]);
}

interface Placed {
  readonly content: Buffer;
  readonly mode: Replacement["mode"];
  readonly time: Date;
}

async function place(base: string, segments: readonly string[], { content, mode, time }: Placed) {
  const folder = await folderMadeFor(base, segments.slice(0, -1));
  const file = join(folder, segments.at(-1) ?? "");
  const previous = await lookAt(file);
  if (previous !== null) await rm(file, { recursive: true });
  if (mode === "120000") await symlink(content, file);
  else {
    await writeFile(file, content, { flag: "wx", mode: mode === "100755" ? 0o777 : 0o666 });
    await utimes(file, time, time);
  }
  await giveTo(previous ?? (await lstat(folder)), file);
}

async function existingFolder(base: string, segments: readonly string[]): Promise<string | null> {
  let folder = base;
  for (const segment of segments) {
    folder = join(folder, segment);
    if ((await lookAt(folder))?.isDirectory() !== true) return null;
  }
  return folder;
}

async function folderMadeFor(base: string, segments: readonly string[]): Promise<string> {
  let folder = base;
  for (const segment of segments) {
    const above = folder;
    folder = join(above, segment);
    const found = await lookAt(folder);
    if (found?.isDirectory() === true) continue;
    if (found !== null) await unlink(folder);
    await mkdir(folder);
    await giveTo(await lstat(above), folder);
  }
  return folder;
}

/** Root may work on another user's project; the files it writes belong to that user. */
async function giveTo({ uid, gid }: Stats, path: string): Promise<void> {
  if (process.getuid?.() === 0) await lchown(path, uid, gid);
}

async function removeFile(path: string): Promise<boolean> {
  const found = await lookAt(path);
  if (found === null || found.isDirectory()) return false;
  await unlink(path);
  return true;
}

async function lookAt(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return null;
    throw error;
  }
}
