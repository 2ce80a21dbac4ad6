import { join } from "node:path";
import { findGitFolders, isObjectId } from "../../system/git/git-files.ts";
import { looseChanges, looseLinks, type TreeChange } from "../../system/git/loose-trees.ts";
import { runGit } from "../../system/git/run-git.ts";

/** What a commit or a merge did to a file. */
export type Change = TreeChange;

const RAW = ["diff-tree", "-r", "-z", "--no-renames", "--no-abbrev", "--raw"];

interface KnownCommit {
  readonly parent: string;
  readonly changes: readonly Change[];
}

/** No commit ever changes, and each merge of a plan asks about all before it. Those asked about last are at the end. */
const known = new Map<string, KnownCommit>();
const MOST_KNOWN = 4_096;
const MOST_CHANGES = 200;

function remember(commit: string, found: KnownCommit): void {
  if (found.changes.length > MOST_CHANGES) return;
  known.delete(commit);
  known.set(commit, found);
  const [oldest = commit] = known.keys();
  if (known.size > MOST_KNOWN) known.delete(oldest);
}

/** Read from the objects' own files, which take no process. Null: they are packed, or it has not one parent. */
function fromFiles(objects: string, commit: string): KnownCommit | null {
  const links = looseLinks(objects, commit);
  const [parent, another] = links?.parents ?? [];
  if (links === null || parent === undefined || another !== undefined) return null;
  const before = looseLinks(objects, parent);
  const changes = before === null ? null : looseChanges([objects], before.tree, links.tree);
  return changes === null ? null : { parent, changes };
}

function objectsOf(root: string): string | null {
  const folders = findGitFolders(root);
  return folders === null ? null : join(folders.commonFolder, "objects");
}

/** What each of these commits changed against its parent, with one git process at most. Null when git doesn't say. */
export async function changesOfCommits(
  root: string,
  commits: readonly string[],
): Promise<ReadonlyMap<string, readonly Change[]> | null> {
  if (!commits.every(isObjectId)) return null;
  const objects = objectsOf(root);
  const found = new Map<string, readonly Change[]>();
  const others: string[] = [];
  for (const commit of commits) {
    const here = known.get(commit) ?? (objects === null ? null : fromFiles(objects, commit));
    if (here === null) others.push(commit);
    else {
      found.set(commit, here.changes);
      remember(commit, here);
    }
  }
  if (others.length === 0) return found;
  const input = Buffer.from(`${others.join("\n")}\n`, "latin1");
  const { ok, stdout } = await runGit({ root, args: [...RAW, "--stdin"], input });
  if (!ok) return null;
  for (const [commit, changes] of changesByCommit(stdout)) {
    found.set(commit, changes);
    const [parent, another] = (objects === null ? null : looseLinks(objects, commit))?.parents ?? [];
    if (parent !== undefined && another === undefined) remember(commit, { parent, changes });
  }
  return found;
}

/** What differs between two commits or trees. Null when git doesn't say. */
export async function changesBetween(
  root: string,
  from: string,
  to: string,
): Promise<readonly Change[] | null> {
  if (![from, to].every(isObjectId)) return null;
  const objects = objectsOf(root);
  const treeOf = (id: string): string => (objects === null ? null : looseLinks(objects, id))?.tree ?? id;
  const read = objects === null ? null : looseChanges([objects], treeOf(from), treeOf(to));
  if (read !== null) return read;
  const { ok, stdout } = await runGit({ root, args: [...RAW, from, to] });
  return ok ? changesIn(stdout) : null;
}

/** The commits between two of a branch, the newest first and without the older one, each as its first parent's child. Null when git doesn't say. */
export async function commitsBetween(
  root: string,
  from: string,
  tip: string,
): Promise<readonly string[] | null> {
  if (![from, tip].every(isObjectId)) return null;
  const objects = objectsOf(root);
  const read = objects === null ? null : walkBack(objects, from, tip);
  if (read !== null) return read;
  const { ok, stdout } = await runGit({ root, args: ["rev-list", "--first-parent", `${from}..${tip}`] });
  return ok ? stdout.toString("latin1").split("\n").slice(0, -1) : null;
}

/** Further back, git walks faster. */
const MOST_READ = 64;

/** Null: git has to be asked. */
function walkBack(objects: string, from: string, tip: string): readonly string[] | null {
  const commits: string[] = [];
  let reads = 0;
  for (let commit: string | undefined = tip; commit !== from;) {
    if (commit === undefined || reads > MOST_READ) return null;
    commits.push(commit);
    const parent: string | undefined = known.get(commit)?.parent;
    if (parent === undefined) reads += 1;
    commit = parent ?? looseLinks(objects, commit)?.parents[0];
  }
  return commits;
}

/** In the order in which git was told the commits. */
function changesByCommit(stdout: Buffer): ReadonlyMap<string, readonly Change[]> {
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
