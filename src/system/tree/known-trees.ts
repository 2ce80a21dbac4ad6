import { createHash } from "node:crypto";
import { join } from "node:path";
import type { GitTree } from "./git-tree.ts";
import { looksOf } from "./looks.ts";
import type { PrivateGit } from "./private-git.ts";

const MOST_TREES = 64;

interface Known {
  /** Null: it isn't known how it looked, or that can't be compared. */
  readonly looks: string | null;
  readonly tree: GitTree | null;
}

/** By the private git folder of each worktree, the ones read last at the end. */
const known = new Map<string, Known>();

/** What a reading may be spared by, and what spares the next one. */
export interface TreeMemory {
  /** The tree, if nothing has changed since it was last read. */
  readonly tree: GitTree | null;
  keep(tree: GitTree): void;
}

/**
 * A process that reads the same tree again and again, as around each check, needs no git while nothing changes. The first time, nothing
 * is looked at: most processes read a tree once.
 */
export function recallTree(git: PrivateGit, projectIndex: string): TreeMemory {
  const { folder } = git;
  const last = known.get(folder);
  const looks = last === undefined ? null : looksNow(git, projectIndex);
  const tree = last !== undefined && looks !== null && looks.digest === last.looks ? last.tree : null;
  return {
    tree,
    keep: (read) => {
      known.delete(folder);
      const isSure =
        looks?.areSettled === true && read.nested.length + read.unread.length + read.doubts.length === 0;
      known.set(folder, isSure ? { looks: looks.digest, tree: read } : { looks: null, tree: null });
      for (const oldest of known.keys()) {
        if (known.size <= MOST_TREES) break;
        known.delete(oldest);
      }
    },
  };
}

export function forgetTree(folder: string): void {
  known.delete(folder);
}

function looksNow(
  { root, folder, stores, outerRules }: PrivateGit,
  projectIndex: string,
): { readonly digest: string; readonly areSettled: boolean } | null {
  const looks = looksOf(root, join(folder, "now"), stores);
  if (looks === null) return null;
  const hash = createHash("sha256").update(JSON.stringify([outerRules, projectIndex]));
  return { digest: hash.update(looks.text).digest("hex"), areSettled: looks.areSettled };
}
