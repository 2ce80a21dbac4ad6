import { unlink } from "node:fs/promises";
import { isPlainPath, type Version } from "../checkpoints/content.ts";
import { lookAt, putFile, removeEmptied } from "../checkpoints/files.ts";
import { keptFiles, type CheckpointStore } from "../checkpoints/store.ts";
import { lastingPlace, mergeTrees } from "./merge-result.ts";
import { treesOfCommits, withWorktree, type Repository } from "./repository.ts";
import { filesOfTree, readWorktreeFiles, treeIdOf } from "./worktree-files.ts";
import { diskPath, toText } from "../../system/tree/index-entries.ts";
import { firstLine } from "../../system/git/run-git.ts";

export type LaidOver =
  | {
      readonly type: "laid";
      readonly files: readonly string[];
      /** Something in the worktree is in their way. */
      readonly left: readonly string[];
    }
  /** Somebody has worked in the worktree, which is left as it is. */
  | { readonly type: "worked-in" }
  | { readonly type: "commit-unknown" }
  | { readonly type: "failed"; readonly why: string };

/**
 * Puts what a commit changed into a worktree, as changes that nobody has committed. Where the worktree began at a later commit than
 * this one's parent, both are merged, and what can't be has conflict markers.
 */
export async function layOver(
  options: Repository & {
    readonly worktree: string;
    readonly commit: string;
    /** The commit that the worktree's files are of. */
    readonly onto: string;
    /** Only where the files are still those of that commit. */
    readonly ifUntouched: boolean;
  },
): Promise<LaidOver> {
  try {
    return await withWorktree(options, options.worktree, (store) => lay(store, options));
  } catch (error) {
    return { type: "failed", why: firstLine(error) };
  }
}

async function lay(
  store: CheckpointStore,
  {
    commit,
    onto,
    ifUntouched,
  }: { readonly commit: string; readonly onto: string; readonly ifUntouched: boolean },
): Promise<LaidOver> {
  const parent = await parentOf(store, commit);
  const [base, accepted, result] =
    parent === null ? [] : ((await treesOfCommits(store, [parent, onto, commit])) ?? []);
  if (base === undefined || accepted === undefined || result === undefined) return { type: "commit-unknown" };
  if (ifUntouched && treeIdOf(store, await readWorktreeFiles(store, onto)) !== accepted)
    return { type: "worked-in" };
  const merged = await mergeTrees(lastingPlace(store), { base, accepted, result });
  if (merged.type === "failed") return merged;
  const present = await filesOfTree(store, accepted);
  const wanted = await filesOfTree(store, merged.tree);
  const { root } = store.git;
  const files: string[] = [];
  const left: string[] = [];
  const gone = [...present].filter((file) => !wanted.has(file[0]) && isFile(file));
  for (const [path] of gone) {
    const found = await lookAt(root, path);
    if (found !== null && !found.isDirectory()) await unlink(diskPath(root, path));
    files.push(path);
  }
  const removed = gone.map(([path]) => path);
  await removeEmptied(root, removed);
  const changed = [...wanted].filter((file) => present.get(file[0]) !== file[1] && isFile(file));
  for await (const file of keptFiles(store, new Map(changed)))
    ((await putFile(root, file)) ? files : left).push(file.path);
  return { type: "laid", files: files.map(toText).toSorted(), left: left.map(toText) };
}

async function parentOf(store: CheckpointStore, commit: string): Promise<string | null> {
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return null;
  const outcome = await store.ask(["cat-file", "commit", commit]);
  if (!outcome.ok) return null;
  return /^tree [0-9a-f]+\nparent ([0-9a-f]+)\n/.exec(outcome.stdout.toString("latin1"))?.[1] ?? null;
}

/** And no submodule, which stays as the worktree has it; nor a path that no honest tree has. */
function isFile([path, version]: readonly [string, Version]): boolean {
  return !version.startsWith("160000 ") && isPlainPath(path);
}
