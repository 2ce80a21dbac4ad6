import { readdirSync, statSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { setImmediate as turnOfOthers } from "node:timers/promises";
import { findGitFolders } from "./git-files.ts";

/** Git opens what has one of these names anywhere in a worktree, and waits for ever where it is a pipe. */
const READ_BY_GIT = new Set([".gitignore", ".gitattributes", ".gitmodules", ".mailmap"]);

/** Most runs of git are over long before. */
const FIRST_LOOK_MS = 500;
const MOST_ENTRIES = 500_000;
const AT_ONCE = 64;

/** By worktree: a pipe that a git waited for. */
const found = new Map<string, string>();

/** A pipe that is still where a git of this process waited for it, so that no other one has to. */
export function knownPipe(root: string): string | null {
  const path = found.get(root);
  if (path === undefined) return null;
  if (isPipe(path)) return path;
  found.delete(root);
  return null;
}

/** Looks, while a git takes long, whether it waits for a pipe; `stop` once it has ended. */
export function watchForPipe(root: string, tell: (path: string) => void): { readonly stop: () => void } {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const lookIn = (waitMs: number): void => {
    timer = setTimeout(() => void look(waitMs), waitMs);
  };
  const look = async (waitedMs: number): Promise<void> => {
    const path = await findPipe(root, () => isOver);
    if (isOver) return;
    if (path === null) return lookIn(2 * waitedMs);
    found.set(root, path);
    tell(path);
  };
  lookIn(FIRST_LOOK_MS);
  return {
    stop: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** Shallow folders first. Goes into no link, but git would read what one leads to. */
async function findPipe(root: string, isOver: () => boolean): Promise<string | null> {
  const folders = findGitFolders(root);
  const own = folders === null ? [] : [...new Set([folders.gitFolder, folders.commonFolder])];
  const waiting = [root, ...own].map((folder) => ({ folder, isGits: folder !== root }));
  let seen = 0;
  for (let count = 1, next = waiting.shift(); next !== undefined; count += 1, next = waiting.shift()) {
    if (count % AT_ONCE === 0) await turnOfOthers();
    if (isOver() || seen > MOST_ENTRIES) return null;
    for (const entry of entriesOf(next.folder)) {
      seen += 1;
      const path = join(next.folder, entry.name);
      const isRead = next.isGits || READ_BY_GIT.has(entry.name);
      if (isRead && (entry.isFIFO() || entry.isSymbolicLink()) && isPipe(path)) return path;
      if (entry.isDirectory() && (next.isGits || entry.name !== ".git"))
        waiting.push({ folder: path, isGits: next.isGits });
    }
  }
  return null;
}

function isPipe(path: string): boolean {
  try {
    return statSync(path).isFIFO();
  } catch {
    return false;
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
