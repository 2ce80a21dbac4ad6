import type { LoopId } from "../../core/loop/id.ts";
import { configuredHooksOff } from "../../system/git/settings.ts";
import { runGit, firstLine, type GitOutcome } from "../../system/git/run-git.ts";
import { updateOwnRef } from "../../system/git/update-own-ref.ts";
import { findGitFolders, isObjectId, refFromFiles, type GitFolders } from "../../system/git/git-files.ts";
import { writeOwnRef } from "../../system/git/write-ref.ts";
import { readLooseCommit } from "../../system/git/loose-objects.ts";
import { join } from "node:path";

const OWN_REF = /^refs\/loopwright(\/[\w-][\w.-]*)+$/;

/** For all loops. */
export const ALL_CHECKPOINTS = "refs/loopwright";

/** Where the checkpoints of one loop are; those before iterations are named by number. */
export function checkpointsOfLoop(loop: LoopId): string {
  return `${ALL_CHECKPOINTS}/${loop}`;
}

/** Names the files that an undo took away, with the moment behind it. */
export const BEFORE_UNDO = "before-undo-";

/** Keeps no reflog and doesn't follow symbolic refs. */
const UPDATE = ["-c", "core.logAllRefUpdates=false", "update-ref", "--no-deref"];

/** The only place where a checkpoint changes git's state: our own refs, never others. */
export async function setCheckpointRef(options: {
  readonly root: string;
  readonly ref: string;
  readonly commit: string;
}): Promise<GitOutcome> {
  const { root, ref, commit } = options;
  if (isWritten(root, expectOwnRef(ref), { to: commit })) return DONE;
  const hooksOff = await configuredHooksOff(root);
  return updateOwnRef({ root, ref, args: [...hooksOff, ...UPDATE, expectOwnRef(ref), commit] });
}

const DONE = { ok: true, stdout: Buffer.alloc(0), message: "" } as const;

/** Hooks are switched off for these refs, so git would do no more. */
function isWritten(root: string, ref: string, change: Parameters<typeof writeOwnRef>[2]): boolean {
  const folders = findGitFolders(root);
  return folders !== null && writeOwnRef(folders, ref, change);
}

export interface ListedCheckpoint {
  readonly ref: string;
  readonly commit: string;
  readonly at: number;
  /** The top folder of the worktree whose files it keeps; null if it doesn't say. */
  readonly place: string | null;
}

const PLACE = "Worktree: ";

/** In a checkpoint's message: all worktrees of a repository share their refs. */
export function placeLine(root: string): string {
  return `${PLACE}${root.replaceAll("\n", " ")}`;
}

/**
 * The lowest number first; empty without git, and without names that no checkpoint has. `prefix` is a ref's name up to a slash,
 * such as `refs/loopwright/ID`.
 */
export async function listCheckpoints(root: string, prefix: string): Promise<readonly ListedCheckpoint[]> {
  const format = "--format=%(refname) %(objectname) %(committerdate:unix) %(contents:body)";
  const pattern = prefix === ALL_CHECKPOINTS ? prefix : expectOwnRef(prefix.replace(/\/$/, ""));
  const outcome = await runGit({ root, args: ["for-each-ref", "--sort=version:refname", format, pattern] });
  if (!outcome.ok) return [];
  const lines = outcome.stdout.toString("utf8").split("\n").slice(0, -1);
  return lines.flatMap((line) => {
    const [ref = "", commit = "", seconds = "", ...rest] = line.split(" ");
    if (seconds === "" || !OWN_REF.test(ref)) return [];
    const said = rest.join(" ");
    const place = said.startsWith(PLACE) ? said.slice(PLACE.length) : null;
    return [{ ref, commit, at: Number(seconds) * 1000, place }];
  });
}

/** The user's next `git gc` deletes their objects. */
export async function dropCheckpoints(root: string, refs: readonly string[]): Promise<void> {
  const own = refs.map(expectOwnRef);
  if (own.length === 0) return;
  const drop = [...(await configuredHooksOff(root)), ...UPDATE];
  const input = Buffer.from(own.map((ref) => `option no-deref\ndelete ${ref}\n`).join(""));
  const { ok } = await runGit({ root, args: [...drop, "--stdin"], input });
  if (ok) return;
  // One ref that cannot be deleted, or is already gone, keeps git from deleting the others with it.
  for (const ref of own) await runGit({ root, args: [...drop, "-d", ref] });
}

export function expectOwnRef(ref: string): string {
  if (!OWN_REF.test(ref)) throw new Error(`${ref} is not a checkpoint ref`);
  return ref;
}

export type KeptCommit =
  | { readonly type: "kept" }
  /** The ref leads to another commit already, which is left as it is. */
  | { readonly type: "ref-taken"; readonly by: string }
  | { readonly type: "failed"; readonly why: string };

/** Keeps a commit from being pruned, under a ref of ours such as `refs/loopwright/ID/tasks/T-001/1`. Again is the same as once. */
export async function keepCommit(options: {
  readonly root: string;
  readonly ref: string;
  readonly commit: string;
}): Promise<KeptCommit> {
  const { root, ref, commit } = options;
  if (isWritten(root, expectOwnRef(ref), { to: commit, from: null })) return { type: "kept" };
  const hooksOff = await configuredHooksOff(root);
  const nothing = "0".repeat(commit.length);
  const outcome = await updateOwnRef({
    root,
    ref,
    args: [...hooksOff, ...UPDATE, expectOwnRef(ref), commit, nothing],
  });
  if (outcome.ok) return { type: "kept" };
  const by = await refCommit(root, ref);
  if (by === commit) return { type: "kept" };
  return by === null ? { type: "failed", why: firstLine(outcome.message) } : { type: "ref-taken", by };
}

/** The commit that a ref, or an id, leads to; null when it leads nowhere. Runs git only if its files aren't enough. */
export async function refCommit(root: string, ref: string): Promise<string | null> {
  const folders = findGitFolders(root);
  const read = folders === null ? null : commitFromFiles(folders, ref);
  if (read !== null) return read === "missing" ? null : read;
  const outcome = await runGit({ root, args: ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`] });
  const commit = outcome.stdout.toString("latin1").trim();
  return outcome.ok && isObjectId(commit) ? commit : null;
}

function commitFromFiles(folders: GitFolders, ref: string): string | null {
  const id = isObjectId(ref) ? ref : refFromFiles(folders, ref);
  if (id === null || id === "missing") return id;
  return readLooseCommit(join(folders.commonFolder, "objects"), id) === null ? null : id;
}
