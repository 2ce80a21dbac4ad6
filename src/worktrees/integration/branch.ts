import { configuredHooksOff } from "../../system/git/configured-hooks.ts";
import { runGit } from "../../system/git/run-git.ts";
import { updateOwnRef } from "../../system/git/update-own-ref.ts";
import { refCommit } from "./keep-commit.ts";
import { firstLine, isObjectId } from "./repository.ts";

export type MovedBranch =
  | { readonly type: "moved" }
  /** It does not stand where it was expected; null: it doesn't exist. */
  | { readonly type: "taken"; readonly by: string | null }
  /** The user has it checked out: moving it would make their files look changed. */
  | { readonly type: "checked-out" }
  | { readonly type: "failed"; readonly why: string };

/** Moves a branch if it stands where it is expected; from null, it is made. A branch that is already there has moved. */
export async function moveBranch(options: {
  readonly root: string;
  /** Such as `loop/ID`. */
  readonly name: string;
  readonly from: string | null;
  readonly to: string;
}): Promise<MovedBranch> {
  const { root, name, from, to } = options;
  const ref = `refs/heads/${name}`;
  const { ok: isName } = await runGit({ root, args: ["check-ref-format", ref] });
  if (!isName || !isObjectId(to)) return { type: "failed", why: `${name} can't be the name of a branch` };
  const before = await refCommit(root, ref);
  if (before === to) return { type: "moved" };
  if ((await checkedOutRef(root)) === ref) return { type: "checked-out" };
  const hooksOff = await configuredHooksOff(root);
  const expected = from ?? "0".repeat(to.length);
  const args = [...hooksOff, "update-ref", "--no-deref", ref, to, expected];
  const outcome = await updateOwnRef({ root, ref, args });
  if (outcome.ok) return { type: "moved" };
  const by = await refCommit(root, ref);
  if (by === to) return { type: "moved" };
  return by === from ? { type: "failed", why: firstLine(outcome.message) } : { type: "taken", by };
}

/** Removes a branch that nobody has moved or checked out; otherwise it stays. */
export async function removeBranch(options: {
  readonly root: string;
  readonly name: string;
  readonly at: string;
}): Promise<void> {
  const { root, name, at } = options;
  const ref = `refs/heads/${name}`;
  const args = ["for-each-ref", "--format=%(objectname)%(worktreepath)", ref];
  const found = await runGit({ root, args });
  if (!found.ok || found.stdout.toString("utf8").trim() !== at) return;
  const hooksOff = await configuredHooksOff(root);
  await updateOwnRef({ root, ref, args: [...hooksOff, "update-ref", "--no-deref", "-d", ref, at] });
}

/** The ref that HEAD leads to, whether or not it has a commit; null when HEAD is detached. */
export async function checkedOutRef(root: string): Promise<string | null> {
  const outcome = await runGit({ root, args: ["symbolic-ref", "--quiet", "HEAD"] });
  return outcome.ok ? outcome.stdout.toString("utf8").trim() : null;
}

export async function isAncestor(root: string, commit: string, of: string): Promise<boolean> {
  if (!isObjectId(commit) || !isObjectId(of)) return false;
  return (await runGit({ root, args: ["merge-base", "--is-ancestor", commit, of] })).ok;
}
