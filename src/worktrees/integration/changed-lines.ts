import { toText } from "../../system/tree/git-tree.ts";
import { isObjectId, withObjects, type Repository } from "./repository.ts";

export interface ChangedLines {
  readonly path: string;
  /** null: not text. */
  readonly added: number | null;
  readonly removed: number | null;
}

const NUMSTAT = ["diff-tree", "-r", "-z", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv"];

/** How many lines of which files a commit changes against its parent. Null when git doesn't say. */
export async function changedLines(
  repository: Repository,
  commit: string,
): Promise<readonly ChangedLines[] | null> {
  return isObjectId(commit) ? numstat(repository, `${commit}^`, commit) : null;
}

/** The same between two commits. */
export async function changedLinesBetween(
  repository: Repository,
  from: string,
  to: string,
): Promise<readonly ChangedLines[] | null> {
  return [from, to].every(isObjectId) ? numstat(repository, from, to) : null;
}

async function numstat(
  repository: Repository,
  from: string,
  to: string,
): Promise<readonly ChangedLines[] | null> {
  try {
    const stdout = await withObjects(repository, async (store) => store.run([...NUMSTAT, from, to]));
    return parseNumstat(stdout);
  } catch {
    return null;
  }
}

function parseNumstat(stdout: Buffer): readonly ChangedLines[] {
  return stdout
    .toString("latin1")
    .split("\0")
    .flatMap((line) => {
      const [, added, removed, path] = /^(\d+|-)\t(\d+|-)\t([^]+)$/.exec(line) ?? [];
      if (added === undefined || removed === undefined || path === undefined) return [];
      return [{ path: toText(path), added: countOf(added), removed: countOf(removed) }];
    });
}

function countOf(text: string): number | null {
  return text === "-" ? null : Number(text);
}
