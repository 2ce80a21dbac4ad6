import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, lstatSync, realpathSync } from "node:fs";
import { join, dirname, relative, sep } from "node:path";
import { readIndexFile, parsePaths, type IndexEntry } from "./index-entries.ts";
import { runGit } from "../git/run-git.ts";
import type { GitFolders, ObjectHash } from "../git/git-files.ts";

/**
 * A digest of everything that decides which listed files are ignored. Looks for `.gitignore` files on disk, not in the listing,
 * because one can ignore itself.
 */
export function ignoreRules(root: string, entries: readonly IndexEntry[], outerRules: string): string {
  const hash = createHash("sha256").update(outerRules);
  const start = Buffer.from(join(root, "/"));
  for (const folder of foldersOf(entries.map(({ path }) => path))) {
    const file = Buffer.concat([start, Buffer.from(`${folder}.gitignore`, "latin1")]);
    // Most folders have none, and this is the cheapest check.
    if (existsSync(file) && statSync(file).isFile()) {
      hash.update(`\0${folder}\0`).update(readFileSync(file));
    }
  }
  return hash.digest("hex");
}

/** Identifies a state of the project's own index; git replaces the file whenever it writes. */
export function projectIndexIdentity(folders: GitFolders): string {
  const found = statSync(join(folders.gitFolder, "index"), { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "none" : [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(" ");
}

/** The listing of the project's own index, read without git; null if only git can read it. */
export function trackedPaths({ gitFolder }: GitFolders, hash: ObjectHash): readonly string[] | null {
  const path = join(gitFolder, "index");
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) return null;
  return readIndexFile(path, hash)?.map((entry) => entry.path) ?? null;
}

/** Files the project tracks although its rules ignore them; null if its git folder is damaged. */
export async function trackedThoughIgnored(
  root: string,
  excludesFile: string,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const args = ["-c", `core.excludesFile=${excludesFile}`, "ls-files", "-ci", "--exclude-standard", "-z"];
  const outcome = await runGit({ root, args, signal });
  return outcome.ok ? [...new Set(parsePaths(outcome.stdout))] : null;
}

/** Exists, and not behind a symbolic link. */
export function isInTree(root: string, path: string): boolean {
  const name = Buffer.from(path, "latin1").toString("utf8");
  const full = join(root, name);
  try {
    const found = lstatSync(full);
    return !found.isDirectory() && realpathSync.native(dirname(full)) === dirname(full);
  } catch {
    return false;
  }
}

/** What loops write themselves isn't part of the tree they are judged by. */
const OWN_FOLDERS = [".loop", ".jwz"];
const OWN_FILES = [".claude/idle-loop.local.md"];

export interface OwnStores {
  includes(path: string): boolean;
  /** Our own files as lines of a git exclude file. */
  readonly excludeLines: readonly string[];
}

/** Paths are relative to the root, with slashes. The state folder counts if it is inside the project (such as a home folder). */
export function ownStores(root: string, stateHome: string): OwnStores {
  const statePath = relative(root, stateHome).split(sep).join("/");
  const stateInside = statePath !== "" && statePath !== ".." && !/^(\.\.\/|\/|[a-z]:)/i.test(statePath);
  const folders = stateInside ? [...OWN_FOLDERS, statePath] : OWN_FOLDERS;
  return {
    includes: (path) =>
      OWN_FILES.includes(path) || folders.some((folder) => path === folder || path.startsWith(`${folder}/`)),
    excludeLines: [
      ...folders.map((folder) => `/${escapePattern(folder)}`),
      ...OWN_FILES.map((file) => `/${file}`),
    ],
  };
}

function escapePattern(path: string): string {
  return path.replaceAll(/[\\*?[\]!# ]/g, String.raw`\$&`);
}

/** The folders of these files, each with a trailing slash; the root is the empty string. */
export function foldersOf(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set([""]);
  let previous = "";
  for (const path of paths) {
    let folder = path.slice(0, path.lastIndexOf("/") + 1);
    // Listings are sorted, so it is usually the same folder as before.
    if (folder === previous) continue;
    previous = folder;
    while (!folders.has(folder)) {
      folders.add(folder);
      folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
    }
  }
  return folders;
}
