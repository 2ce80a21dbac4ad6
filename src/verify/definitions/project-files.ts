import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { readBounded } from "../../system/files/read-file.ts";
import { fileDigest } from "../../system/tree/file-version.ts";

/** Joins a folder of the project with a path from a command; null if that leads out of the project or contains a variable. */
export function pathIn(folder: string, path: string, root: string | null = null): string | null {
  if (/\$[A-Za-z_({]|`/.test(path)) return null;
  let named = path.replaceAll("\\", "/");
  let from = folder;
  if (/^(?:\/|[A-Za-z]:|~)/.test(named)) {
    const top = root === null || root === "" ? null : root.replaceAll("\\", "/").replace(/\/+$/, "");
    if (top === null || (named !== top && !named.startsWith(`${top}/`))) return null;
    named = named.slice(top.length + 1);
    from = "";
  }
  const names: string[] = from === "" ? [] : from.split("/");
  for (const name of named.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) return null;
  }
  return names.join("/");
}

export function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function below(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

export function isBelow(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

/** The folder itself first, then its parents up to the project's root. */
export function foldersUpwards(folder: string): readonly string[] {
  const folders = [folder];
  for (let at = folder; at !== "";) folders.push((at = folderOf(at)));
  return folders;
}

/** `a.{b,c}` as `a.b` and `a.c`. */
export function spellings(pattern: string): readonly string[] {
  const braces = /^(.*?)\{([^}]*)\}(.*)$/.exec(pattern);
  if (braces === null) return [pattern];
  const [, start = "", choices = "", end = ""] = braces;
  return choices.split(",").flatMap((choice) => spellings(`${start}${choice}${end}`));
}

/** What is known about a project's files at one moment: now or at the opening. Never throws. */
export interface DefiningFiles {
  /** All files that may count, relative to the project's root, with slashes. Ignored ones need not be listed. */
  readonly paths: readonly string[];
  /** Null if it is missing, not a file, too large or unreadable. Also called for files that aren't listed. */
  read(path: string): Promise<string | null>;
  /** The digest of a whole file of any size; null when it is missing. */
  digest(path: string): Promise<string | null>;
}

const LARGEST_FILE_BYTES = 1024 * 1024;

/**
 * The current files of a folder. The caller knows which ones the project has, and may already know digests; digests are compared
 * with each other, so the opening and now need the same kind.
 */
export function filesAt(
  root: string,
  paths: readonly string[],
  digests: ReadonlyMap<string, string> = new Map(),
): DefiningFiles {
  return {
    paths,
    read: async (path) => {
      try {
        return readBounded(join(root, path), LARGEST_FILE_BYTES);
      } catch {
        return null;
      }
    },
    digest: async (path) => digests.get(path) ?? (await digestOf(root, path).catch(() => null)),
  };
}

async function digestOf(root: string, path: string): Promise<string | null> {
  const found = await lstat(join(root, path));
  // Opening a pipe would wait for a writer.
  return found.isFile() || found.isSymbolicLink() ? fileDigest(root, path) : null;
}
