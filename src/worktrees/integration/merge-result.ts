import { join } from "node:path";
import { keepObjects, writeLooseObjects, type GitObject } from "../checkpoints/git-objects.ts";
import type { CheckpointStore } from "../checkpoints/store.ts";
import { type GitOutcome, firstLine } from "../../system/git/run-git.ts";
import { treesOfCommits, withObjects, type Repository } from "./repository.ts";
import { mergeApart, type ThreeTrees } from "./merge-apart.ts";
import { plainCommit } from "./worktree-files.ts";
import { toText } from "../../system/tree/index-entries.ts";
import { changesBetween, changesOfCommits, commitsBetween, type Change } from "./commit-changes.ts";

type MergeOutcome =
  | { readonly type: "clean"; readonly tree: string }
  | {
      readonly type: "conflict";
      /** With the markers in its files, and of a file that one side deleted the other side's version. */
      readonly tree: string;
      readonly files: readonly string[];
      /** In git's words, one a conflict. */
      readonly messages: readonly string[];
    }
  | { readonly type: "failed"; readonly why: string };

/** Where a merge reads and writes objects. */
export interface MergePlace {
  readonly store: CheckpointStore;
  /** The folders that it reads them from. */
  readonly objects: readonly string[];
  write(objects: readonly GitObject[]): Promise<void>;
  ask(args: readonly string[]): Promise<GitOutcome>;
}

/** Merges a result into the tip as objects alone: no worktree, no index and no branch is touched. */
export async function mergeResult(
  options: Repository & { readonly tip: string; readonly base: string; readonly result: string },
): Promise<MergeOutcome> {
  const { base, tip, result } = options;
  try {
    return await withObjects(options, async (store) => {
      const [baseTree, accepted, resultTree] = (await treesOfCommits(store, [base, tip, result])) ?? [];
      if (baseTree === undefined || accepted === undefined || resultTree === undefined)
        return { type: "failed", why: "a commit of this merge is no longer in the repository" };
      return mergeTrees(lastingPlace(store), { base: baseTree, accepted, result: resultTree });
    });
  } catch (error) {
    return { type: "failed", why: firstLine(error) };
  }
}

export function lastingPlace(store: CheckpointStore): MergePlace {
  return {
    store,
    objects: [store.objects],
    write: (objects) => keepObjects(store, objects),
    ask: (args) => store.ask(args),
  };
}

/** For merges that nobody keeps: their objects go with the store's scratch folder. */
export function passingPlace(store: CheckpointStore): MergePlace {
  const scratch = store.scratch();
  const index = join(scratch, "no-index");
  return {
    store,
    objects: [scratch, store.objects],
    write: (objects) => writeLooseObjects(scratch, objects),
    ask: (args) => store.git.run(args, { index, scratch }),
  };
}

/** Each side is shown with the one that it differs from, so that a conflict can be resolved from the file alone. */
const MERGE = ["-c", "merge.conflictStyle=zdiff3", "merge-tree", "--write-tree"];

/**
 * Git 2.39 can't be told a merge's base. So it is given commits of which no other base can be found, which also makes a clone
 * without its history as good as one with it.
 */
export async function mergeTrees(place: MergePlace, trees: ThreeTrees): Promise<MergeOutcome> {
  const { store } = place;
  const apart = mergeApart(store.git.hash, place.objects, trees);
  if (apart !== null) {
    await place.write(apart.written);
    return { type: "clean", tree: apart.tree };
  }
  const base = plainCommit(store, { tree: trees.base, parent: null });
  const accepted = plainCommit(store, { tree: trees.accepted, parent: base.id });
  const result = plainCommit(store, { tree: trees.result, parent: base.id });
  await place.write([base, accepted, result]);
  const sides = [named("accepted", accepted.id), named("result", result.id)];
  const outcome = await place.ask([...MERGE, "-z", "--name-only", "--messages", ...sides]);
  return readMerge(outcome);
}

/** Git writes a side's name beside its markers as it was told it, and takes this form for the id at its end. */
function named(name: string, id: string): string {
  return `${name}-0-g${id}`;
}

const NAMED = /\b(accepted|result)-0-g[0-9a-f]{40,64}/g;

function readMerge({ ok, stdout, message }: GitOutcome): MergeOutcome {
  const text = stdout.toString("latin1");
  const tree = /^([0-9a-f]{40,64})\0/.exec(text)?.[1];
  if (tree === undefined) return { type: "failed", why: firstLine(message) };
  if (ok) return { type: "clean", tree };
  const [listed = "", said = ""] = splitOnce(text.slice(tree.length + 1), "\0\0");
  const files = listed.split("\0").filter((path) => path !== "");
  return { type: "conflict", tree, files: [...new Set(files)].map(toText), messages: messagesIn(said) };
}

/** Each is how many paths it is about, the paths, its kind, and the words. */
function messagesIn(text: string): readonly string[] {
  const fields = text.split("\0");
  const messages: string[] = [];
  for (let at = 0; at + 2 < fields.length;) {
    const paths = Number(fields[at]);
    if (!Number.isSafeInteger(paths)) break;
    const kind = fields[at + paths + 1] ?? "";
    const words = fields[at + paths + 2] ?? "";
    if (kind.startsWith("CONFLICT")) messages.push(toText(words).replaceAll(NAMED, "$1").trim());
    at += paths + 3;
  }
  return messages;
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

export interface RevertedFile {
  readonly path: string;
  /** The accepted commit whose change is undone. */
  readonly undoes: string;
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
  const merged = await changesBetween(root, tip, tree);
  const history = await commitsBetween(root, from, tip);
  const accepted = history === null ? null : await changesOfCommits(root, history);
  if (merged === null || history === null || accepted === null) return null;
  const undone = undoneBy(history, accepted);
  return merged.flatMap(({ path, after }) => {
    const undoes = undone.get(`${path}\0${after}`);
    return undoes === undefined ? [] : [{ path: toText(path), undoes }];
  });
}

/** The same for each of the commits of a branch, the oldest first, by commit. Null when git doesn't say. */
export async function revertedByEach(
  root: string,
  commits: readonly string[],
): Promise<ReadonlyMap<string, readonly RevertedFile[]> | null> {
  const changes = await changesOfCommits(root, commits);
  if (changes === null) return null;
  const undone = new Map<string, string>();
  const reverted = new Map<string, readonly RevertedFile[]>();
  for (const commit of commits) {
    const own = changes.get(commit) ?? [];
    const files = own.flatMap(({ path, after }): readonly RevertedFile[] => {
      const undoes = undone.get(`${path}\0${after}`);
      return undoes === undefined ? [] : [{ path: toText(path), undoes }];
    });
    reverted.set(commit, files);
    for (const { path, before } of own) undone.set(`${path}\0${before}`, commit);
  }
  return reverted;
}

/** The newest commit that changed a file away from what it was, by path and what it was. */
function undoneBy(
  newestFirst: readonly string[],
  changes: ReadonlyMap<string, readonly Change[]>,
): ReadonlyMap<string, string> {
  const undone = new Map<string, string>();
  for (const commit of newestFirst)
    for (const { path, before } of changes.get(commit) ?? []) {
      const key = `${path}\0${before}`;
      if (!undone.has(key)) undone.set(key, commit);
    }
  return undone;
}
