import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { readCheckpoint, versionsOf, type Version } from "../checkpoints/content.ts";
import { treesOf, keepObjects } from "../checkpoints/git-objects.ts";
import { keepContents } from "../checkpoints/keep-contents.ts";
import { refCommit, setCheckpointRef } from "../checkpoints/refs.ts";
import { objectOf, type CheckpointStore } from "../checkpoints/store.ts";
import { configuredHooksOff } from "../../system/git/settings.ts";
import { firstLine, runGit } from "../../system/git/run-git.ts";
import { diskPath, parsePaths, renderPaths, toText } from "../../system/tree/index-entries.ts";
import { checkedOutRef, commitOnto, isAncestor, type Trailers } from "./branch.ts";
import { filteredPaths } from "./deliver.ts";
import { onlyWritten, type NotTheWork } from "./keep-result.ts";
import { withObjects, type Repository } from "./repository.ts";
import { filesOfTree, readWorktreeFiles } from "./worktree-files.ts";

interface WorkToCommit extends Repository {
  /** The checkpoint with the files as they were before the work. */
  readonly since: string;
  /** The user's last commit then. */
  readonly from: string;
  /** The user's branch then. */
  readonly branch: string;
  /** Keeps the commit before the branch has it. */
  readonly ref: string;
  /** `others`: files that differ from the commit, too, and aren't part of the work. */
  readonly message: (others: readonly string[]) => string;
  readonly trailers: Trailers;
  readonly without: NotTheWork;
}

type CommittedWork =
  | { readonly type: "committed"; readonly commit: string; readonly before: string }
  /** The branch has all of it already. */
  | { readonly type: "nothing" }
  /** Nothing was touched: why, in a sentence. */
  | { readonly type: "left"; readonly why: string }
  /** It may be done another time. */
  | { readonly type: "failed"; readonly why: string };

/**
 * Commits the files that changed since a checkpoint on top of the branch that is checked out. What the user hadn't committed then stays
 * uncommitted, staged or not; so do files that only checks wrote. No hook and no filter runs. Doing it again is the same as once.
 */
export async function commitWork(options: WorkToCommit): Promise<CommittedWork> {
  const { root, from, branch, ref } = options;
  const head = await refCommit(root, `refs/heads/${branch}`);
  if ((await checkedOutRef(root)) !== `refs/heads/${branch}` || head === null)
    return { type: "left", why: `${branch} is no longer checked out` };
  const earlier = await refCommit(root, ref);
  if (earlier !== null && (await isAncestor(root, earlier, head)))
    return { type: "committed", commit: earlier, before: (await refCommit(root, `${earlier}^`)) ?? from };
  if (!(await isAncestor(root, from, head)))
    return { type: "left", why: `${branch} no longer has the commit that the work began at` };
  try {
    const found = await withObjects(options, async (store) => treeOfWork(store, options, head));
    if (found.type !== "tree") return found;
    return await moveOnto(options, head, found);
  } catch (error) {
    return { type: "failed", why: firstLine(error) };
  }
}

/** The user's last commit, with the work in it. */
interface TreeOfWork {
  readonly type: "tree";
  readonly tree: string;
  /** What the work changed; bytes in latin1. */
  readonly paths: readonly string[];
  readonly others: readonly string[];
}

async function treeOfWork(
  store: CheckpointStore,
  { since, from, without }: WorkToCommit,
  head: string,
): Promise<TreeOfWork | Extract<CommittedWork, { readonly type: "nothing" | "left" }>> {
  const start = (await readCheckpoint(store, since)).files;
  const opened = await filesOfTree(store, from);
  const files = await readWorktreeFiles(store, head);
  const now = versionsOf(files.listed);
  const differ = uncommitted(now, files.base);
  const added = differ.filter((path) => !files.base.has(path)).map(toText);
  const written = new Set(await onlyWritten(added, [...files.base.keys()].map(toText), without));
  const unwritten = differ.filter((path) => !written.has(toText(path)));
  const work = new Set(unwritten.filter((path) => now.get(path) !== start.get(path)));
  if (work.size === 0) return { type: "nothing" };
  const mixed = [...work].find((path) => start.get(path) !== opened.get(path));
  if (mixed !== undefined)
    return {
      type: "left",
      why: `${toText(mixed)} had changes of yours when the loop began, and a commit would have both`,
    };
  const entries = files.listed.filter(({ path }) => work.has(path));
  const kept = await keepContents(store, entries, new Set([...files.base.values()].map(objectOf)));
  const [large] = kept.tooLarge;
  if (large !== undefined) return { type: "left", why: `${toText(large)} is larger than 100 MB` };
  const stays = [...files.base].filter(([path]) => !work.has(path));
  const all = [...stays, ...kept.files].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const trees = treesOf(store.git.hash, all);
  await keepObjects(store, [...kept.unwritten, ...trees]);
  const others = unwritten.filter((path) => !work.has(path)).map(toText);
  return { type: "tree", tree: trees.at(-1)?.id ?? "", paths: [...work], others };
}

/** A submodule's own files are its own affair. */
function uncommitted(now: ReadonlyMap<string, Version>, base: ReadonlyMap<string, Version>): string[] {
  return [...new Set([...now.keys(), ...base.keys()])].filter(
    (path) => now.get(path) !== base.get(path) && base.get(path)?.startsWith("160000 ") !== true,
  );
}

/** The index first: a kill then leaves the work staged, and never looks as if somebody had taken it back. */
async function moveOnto(
  options: WorkToCommit,
  head: string,
  { tree, paths, others }: TreeOfWork,
): Promise<CommittedWork> {
  const { root, branch, ref, message, trailers } = options;
  const converted = await convertedPath(root, head, paths);
  if (converted !== null)
    return { type: "left", why: `git itself changes ${toText(converted)} on its way into a commit` };
  const made = await commitOnto({ root, tip: head, tree, message: message(others), trailers });
  if (made.type !== "committed") return made;
  const { commit } = made;
  const kept = await setCheckpointRef({ root, ref, commit });
  if (!kept.ok) return { type: "failed", why: firstLine(kept.message) };
  const why =
    (await setIndex(root, head, commit)) ??
    (await moveRef(root, branch, { from: head, to: commit, why: "the work of a loop" }));
  return why === null ? { type: "committed", commit, before: head } : { type: "failed", why };
}

/** Of the paths, one that git stores otherwise than it lies on the disk: through a filter, or with other line ends. */
async function convertedPath(root: string, head: string, paths: readonly string[]): Promise<string | null> {
  const [filtered] = await filteredPaths({ root, tip: head, paths });
  if (filtered !== undefined) return filtered;
  const crlf = paths.filter((path) => hasCrLf(root, path));
  if (crlf.length === 0) return null;
  const auto = await runGit({ root, args: ["config", "--get", "core.autocrlf"] });
  if (/^(?:true|input)$/.test(auto.stdout.toString("utf8").trim())) return crlf[0] ?? null;
  const args = ["check-attr", "-z", "--stdin", "text", "eol"];
  const fields = parsePaths((await runGit({ root, args, input: renderPaths(crlf) })).stdout);
  const at = fields.findIndex(
    (value, position) => position % 3 === 2 && !/^(?:unspecified|unset)$/.test(value),
  );
  return at === -1 ? null : (fields[at - 2] ?? null);
}

function hasCrLf(root: string, path: string): boolean {
  try {
    return readFileSync(diskPath(root, path)).includes("\r\n");
  } catch {
    return false;
  }
}

const TRIES = 6;
const RETRY_AFTER_MS = 500;

/** Gives the user's index, of the files that differ between two commits, what the second one has. Null: it has it. */
async function setIndex(root: string, from: string, to: string): Promise<string | null> {
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--raw", from, to];
  const listed = await runGit({ root, args });
  if (!listed.ok) return firstLine(listed.message);
  const parts = parsePaths(listed.stdout);
  const lines = parts.flatMap((part, at) => {
    const [, mode = "", object = ""] = /^:\d+ (\d+) [0-9a-f]+ ([0-9a-f]+) /.exec(part) ?? [];
    return at % 2 === 1 ? [] : [`${mode.replace(/^0+$/, "0")} ${object}\t${parts[at + 1] ?? ""}\0`];
  });
  const input = Buffer.from(lines.join(""), "latin1");
  for (let tries = 1; ; tries += 1) {
    const { ok, message } = await runGit({ root, args: ["update-index", "-z", "--index-info"], input });
    if (ok || tries === TRIES) return ok ? null : firstLine(message);
    await sleep(RETRY_AFTER_MS);
  }
}

/** Null: the branch that is checked out stands there now. */
async function moveRef(
  root: string,
  branch: string,
  { from, to, why }: { readonly from: string; readonly to: string; readonly why: string },
): Promise<string | null> {
  const hooksOff = await configuredHooksOff(root);
  const args = [...hooksOff, "update-ref", "-m", `loop: ${why}`, `refs/heads/${branch}`, to, from];
  const { ok, message } = await runGit({ root, args });
  return ok ? null : firstLine(message);
}

/** Takes a commit of ours back from the branch, if nothing is on top of it. The files stay as they are. */
export async function takeBackCommit(options: {
  readonly root: string;
  readonly branch: string;
  readonly commit: string;
  readonly before: string;
}): Promise<boolean> {
  const { root, branch, commit, before } = options;
  if ((await checkedOutRef(root)) !== `refs/heads/${branch}`) return false;
  const head = await refCommit(root, "HEAD");
  // Killed before it was recorded.
  if (head === before) return true;
  if (head !== commit) return false;
  const how = { from: commit, to: before, why: "undo" };
  return (await setIndex(root, commit, before)) === null && (await moveRef(root, branch, how)) === null;
}
