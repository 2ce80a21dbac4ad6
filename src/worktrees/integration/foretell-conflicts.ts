import type { CheckpointStore } from "../checkpoints/store.ts";
import { mergeTrees, passingPlace, type MergePlace } from "./merge-result.ts";
import { treesOfCommits, withObjects, type Repository } from "./repository.ts";
import { firstLine } from "../../system/git/run-git.ts";

export interface KeptCommitOf {
  readonly commit: string;
  /** The commit that it began at. */
  readonly base: string;
}

export type ForetoldConflicts =
  | {
      readonly type: "foretold";
      /** Results that conflict with the tip. */
      readonly withTip: readonly string[];
      /** Of the others: pairs that conflict once one of them is merged. */
      readonly pairs: readonly (readonly [string, string])[];
    }
  | { readonly type: "failed"; readonly why: string };

interface Candidate {
  readonly commit: string;
  readonly base: string;
  readonly result: string;
  /** The tip with this result. */
  readonly merged: string;
}

/** Which results get into each other's way, told by merging them where nothing is kept. */
export async function foretellConflicts(
  options: Repository & { readonly tip: string; readonly results: readonly KeptCommitOf[] },
): Promise<ForetoldConflicts> {
  try {
    return await withObjects(options, (store) => foretell(store, options.tip, options.results));
  } catch (error) {
    return { type: "failed", why: firstLine(error) };
  }
}

async function foretell(
  store: CheckpointStore,
  tip: string,
  results: readonly KeptCommitOf[],
): Promise<ForetoldConflicts> {
  const place = passingPlace(store);
  const withTip: string[] = [];
  const candidates: Candidate[] = [];
  for (const { commit, base } of results) {
    const [baseTree, accepted, result] = (await treesOfCommits(store, [base, tip, commit])) ?? [];
    if (baseTree === undefined || accepted === undefined || result === undefined)
      return { type: "failed", why: "a commit is no longer in the repository" };
    const merged = await mergeTrees(place, { base: baseTree, accepted, result });
    if (merged.type === "failed") return merged;
    if (merged.type === "conflict") withTip.push(commit);
    else candidates.push({ commit, base: baseTree, result, merged: merged.tree });
  }
  return { type: "foretold", withTip, pairs: await conflictingPairs(place, candidates) };
}

async function conflictingPairs(
  place: MergePlace,
  candidates: readonly Candidate[],
): Promise<readonly (readonly [string, string])[]> {
  const pairs: (readonly [string, string])[] = [];
  for (const [position, one] of candidates.entries()) {
    for (const other of candidates.slice(position + 1)) {
      const { base, result } = other;
      const merged = await mergeTrees(place, { base, accepted: one.merged, result });
      if (merged.type !== "clean") pairs.push([one.commit, other.commit]);
    }
  }
  return pairs;
}
