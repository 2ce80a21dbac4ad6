import { chmod, open } from "node:fs/promises";
import { constants, existsSync } from "node:fs";
import { join } from "node:path";
import { lookAt, putFile } from "../checkpoints/files.ts";
import { isPlainPath } from "../checkpoints/content.ts";
import { runGit } from "../../system/git/run-git.ts";
import { parsePaths, renderPaths, diskPath, toText } from "../../system/tree/index-entries.ts";

/** Patterns like those of a `.gitignore`, of ignored files that a fresh worktree needs too. */
const LIST = ".worktreeinclude";

const MEGABYTE = 1024 * 1024;
const LARGEST_FILE_BYTES = 50 * MEGABYTE;
const MOST_BYTES = 500 * MEGABYTE;
const MOST_FILES = 5_000;

export interface CopiedFiles {
  readonly copied: readonly string[];
  /** What was named and not copied, and why, in a few words. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

/**
 * Copies files that git ignores from the user's checkout: those that `.worktreeinclude` matches, and those that the user names, such as
 * `.env`. A file that isn't ignored would become part of the work, and is left. No link is followed, on either side.
 */
export async function copyFiles(options: {
  readonly root: string;
  readonly worktree: string;
  /** Relative to the root. */
  readonly named: readonly string[];
}): Promise<CopiedFiles> {
  const { root, worktree } = options;
  const named = options.named.map((path) => Buffer.from(path, "utf8").toString("latin1"));
  const paths = [...new Set([...(await matchedPaths(root)), ...named])];
  const ignored = await ignoredAmong(root, paths.filter(isPlainPath));
  const copied: string[] = [];
  const left: { path: string; why: string }[] = [];
  let bytes = 0;
  for (const path of paths) {
    const isFull = bytes >= MOST_BYTES || copied.length >= MOST_FILES;
    const outcome = isFull ? "too much to copy" : await copy(path, ignored.has(path), root, worktree);
    if (typeof outcome === "string") left.push({ path: toText(path), why: outcome });
    else {
      bytes += outcome;
      copied.push(toText(path));
    }
  }
  return { copied, left };
}

/** How many bytes were copied, or why none were. */
async function copy(
  path: string,
  isIgnored: boolean,
  root: string,
  worktree: string,
): Promise<number | string> {
  if (!isPlainPath(path)) return "not a path inside the project";
  const found = await lookAt(root, path);
  if (found === null) return "not there";
  if (!found.isFile()) return "not a plain file";
  if (!isIgnored) return "not ignored by git";
  if (found.size > LARGEST_FILE_BYTES) return "too large";
  try {
    const file = await open(diskPath(root, path), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const content = await file.readFile();
      const mode = (found.mode & 0o100) === 0 ? "100644" : "100755";
      if (!(await putFile(worktree, { path, mode, content }))) return "something is in its way";
      await chmod(diskPath(worktree, path), found.mode & 0o777);
      return content.length;
    } finally {
      await file.close();
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "not readable";
  }
}

async function matchedPaths(root: string): Promise<readonly string[]> {
  const list = join(root, LIST);
  if (!existsSync(list)) return [];
  const args = ["ls-files", "--others", "--ignored", `--exclude-from=${list}`, "-z"];
  const outcome = await runGit({ root, args });
  return outcome.ok ? parsePaths(outcome.stdout).slice(0, MOST_FILES + 1) : [];
}

async function ignoredAmong(root: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const input = renderPaths(paths.map((path) => `./${path}`));
  const { stdout } = await runGit({ root, args: ["check-ignore", "-z", "--stdin"], input });
  return new Set(parsePaths(stdout).map((path) => path.slice(2)));
}
