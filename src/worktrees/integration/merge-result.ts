import { join } from "node:path";
import { keepObjects } from "../checkpoints/keep-objects.ts";
import { writeLooseObjects } from "../checkpoints/loose-objects.ts";
import type { GitObject } from "../checkpoints/git-objects.ts";
import type { CheckpointStore } from "../checkpoints/store.ts";
import type { GitOutcome } from "../../system/git/spawn-git.ts";
import { toText } from "../../system/tree/git-tree.ts";
import { firstLine, treesOfCommits, withObjects, type Repository } from "./repository.ts";
import { plainCommit } from "./worktree-files.ts";

export type MergeOutcome =
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

/** What two sides did to the files of a tree, as trees. */
export interface ThreeTrees {
  readonly base: string;
  readonly accepted: string;
  readonly result: string;
}

/** Where a merge reads and writes objects. */
export interface MergePlace {
  readonly store: CheckpointStore;
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
  return { store, write: (objects) => keepObjects(store, objects), ask: (args) => store.ask(args) };
}

/** For merges that nobody keeps: their objects go with the store's scratch folder. */
export function passingPlace(store: CheckpointStore): MergePlace {
  const scratch = store.scratch();
  const index = join(scratch, "no-index");
  return {
    store,
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
