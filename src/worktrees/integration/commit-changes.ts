import { isObjectId } from "../../system/git/git-files.ts";
import { runGit } from "../../system/git/run-git.ts";

/** What a commit did to a file, as mode and object; a file that isn't there has a mode of zeros. Paths are bytes in latin1. */
export interface Change {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export const RAW = ["diff-tree", "-r", "-z", "--no-renames", "--no-abbrev", "--raw"];

/** What each of these commits changed against its parent, with one git process for all of them. Null when git doesn't say. */
export async function changesOfCommits(
  root: string,
  commits: readonly string[],
): Promise<ReadonlyMap<string, readonly Change[]> | null> {
  if (!commits.every(isObjectId)) return null;
  if (commits.length === 0) return new Map();
  const input = Buffer.from(`${commits.join("\n")}\n`, "latin1");
  const { ok, stdout } = await runGit({ root, args: [...RAW, "--stdin"], input });
  return ok ? changesByCommit(stdout) : null;
}

/** In the order in which git was told the commits. */
export function changesByCommit(stdout: Buffer): ReadonlyMap<string, readonly Change[]> {
  const changes = new Map<string, Change[]>();
  const parts = stdout.toString("latin1").split("\0");
  let current: Change[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const change = changeAt(parts, at);
    if (change !== null) {
      current.push(change);
      // A path may look like anything.
      at += 1;
    } else if (isObjectId(parts[at] ?? "")) {
      current = [];
      changes.set(parts[at] ?? "", current);
    }
  }
  return changes;
}

/** Of one difference between two trees. */
export function changesIn(stdout: Buffer): readonly Change[] {
  const parts = stdout.toString("latin1").split("\0");
  return parts.flatMap((_, at) => changeAt(parts, at) ?? []);
}

const RAW_LINE = /^:(\d{6}) (\d{6}) ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [A-Z]$/;

function changeAt(parts: readonly string[], at: number): Change | null {
  const [, oldMode, newMode, oldId, newId] = RAW_LINE.exec(parts[at] ?? "") ?? [];
  const path = parts[at + 1];
  if (oldMode === undefined || path === undefined) return null;
  return { path, before: `${oldMode} ${oldId}`, after: `${newMode} ${newId}` };
}
