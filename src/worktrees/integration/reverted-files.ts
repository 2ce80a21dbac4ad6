import { runGit } from "../../system/git/run-git.ts";
import { toText } from "../../system/tree/git-tree.ts";
import { isObjectId } from "./repository.ts";

export interface RevertedFile {
  readonly path: string;
  /** The accepted commit whose change is undone. */
  readonly undoes: string;
}

interface Change {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Files that a merge silently puts back: the tree differs from the tip there, and has exactly what the file was (or that it was not
 * there) before a commit between `from` and the tip changed it. A clean merge alone can't do this; whoever resolved a conflict
 * with "mine" did. Null when git doesn't say.
 */
export async function revertedFiles(options: {
  readonly root: string;
  /** Where the branch began. */
  readonly from: string;
  readonly tip: string;
  readonly tree: string;
}): Promise<readonly RevertedFile[] | null> {
  const { root, from, tip, tree } = options;
  if (![from, tip, tree].every(isObjectId)) return null;
  const merged = await runGit({ root, args: [...RAW, tip, tree] });
  const history = await runGit({ root, args: ["rev-list", "--first-parent", `${from}..${tip}`] });
  if (!merged.ok || !history.ok) return null;
  const accepted = await runGit({ root, args: [...RAW, "--stdin"], input: history.stdout });
  if (!accepted.ok) return null;
  const undone = undoneBy(accepted.stdout);
  return changesIn(merged.stdout).flatMap(({ path, after }) => {
    const undoes = undone.get(`${path}\0${after}`);
    return undoes === undefined ? [] : [{ path: toText(path), undoes }];
  });
}

const RAW = ["diff-tree", "-r", "-z", "--no-renames", "--no-abbrev", "--raw"];

/** The newest commit that changed a file away from what it was, by path and what it was. */
function undoneBy(stdout: Buffer): ReadonlyMap<string, string> {
  const undone = new Map<string, string>();
  const parts = stdout.toString("latin1").split("\0");
  let commit = "";
  for (const [at, part] of parts.entries()) {
    if (isObjectId(part)) commit = part;
    const change = changeAt(parts, at);
    if (change === null) continue;
    const key = `${change.path}\0${change.before}`;
    if (!undone.has(key)) undone.set(key, commit);
  }
  return undone;
}

function changesIn(stdout: Buffer): readonly Change[] {
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
