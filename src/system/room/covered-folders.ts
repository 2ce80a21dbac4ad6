import { existsSync, readFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { findGitFolders } from "../git/git-folders.ts";

/**
 * The folders whose changes a room throws away: the project, the git folders that a linked worktree or a submodule has elsewhere
 * (a commit inside would move the real branch), and anything mounted inside them. Outer ones first.
 */
export async function coveredFolders(root: string): Promise<readonly string[]> {
  const folders = [root];
  for (const folder of await gitFoldersOf(root))
    if (!folders.some((each) => isWithin(folder, each))) folders.push(folder);
  const nested = mountPoints().filter((point) =>
    folders.some((each) => point !== each && isWithin(point, each)),
  );
  return [...new Set([...folders, ...nested])].toSorted((a, b) => a.length - b.length);
}

/** The common folder first, which usually contains the other one. Doesn't run git. */
export async function gitFoldersOf(root: string): Promise<readonly string[]> {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) {
      const found = findGitFolders(folder);
      if (found === null) return [];
      return [await realpath(found.commonFolder), await realpath(found.gitFolder)];
    }
    if (folder === dirname(folder)) return [];
  }
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function mountPoints(): readonly string[] {
  const lines = readFileSync("/proc/self/mountinfo").toString("latin1").split("\n");
  return lines.flatMap((line) => {
    const point = line.split(" ")[4];
    return point === undefined ? [] : [unescaped(point)];
  });
}

/** The kernel writes blanks, line ends and backslashes as octal numbers. */
function unescaped(point: string): string {
  const bytes = point.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
