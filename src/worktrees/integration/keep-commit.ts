import { expectOwnRef } from "../checkpoints/refs.ts";
import { configuredHooksOff } from "../../system/git/configured-hooks.ts";
import { runGit } from "../../system/git/run-git.ts";
import { updateOwnRef } from "../../system/git/update-own-ref.ts";
import { firstLine, isObjectId } from "./repository.ts";

export type KeptCommit =
  | { readonly type: "kept" }
  /** The ref leads to another commit already, which is left as it is. */
  | { readonly type: "ref-taken"; readonly by: string }
  | { readonly type: "failed"; readonly why: string };

/** Neither a log of the ref is kept, nor does a ref that leads to another one lead to it here. */
const UPDATE = ["-c", "core.logAllRefUpdates=false", "update-ref", "--no-deref"];

/** Keeps a commit from being pruned, under a ref of ours such as `refs/loopwright/ID/tasks/T-001/1`. Again is the same as once. */
export async function keepCommit(options: {
  readonly root: string;
  readonly ref: string;
  readonly commit: string;
}): Promise<KeptCommit> {
  const { root, ref, commit } = options;
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

/** The commit that a ref leads to; null when it leads nowhere. */
export async function refCommit(root: string, ref: string): Promise<string | null> {
  const outcome = await runGit({ root, args: ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`] });
  const commit = outcome.stdout.toString("latin1").trim();
  return outcome.ok && isObjectId(commit) ? commit : null;
}
