import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { runGit } from "../git/run-git.ts";
import type { GitFolders } from "../git/git-folders.ts";
import type { ObjectHash } from "../git/repository-format.ts";
import { readIndexFile } from "./index-file.ts";
import { parsePaths } from "./index-listing.ts";

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
