import { configuredHooksOff } from "../../system/git/configured-hooks.ts";
import { runGit } from "../../system/git/run-git.ts";
import { checkedOutRef, isAncestor } from "./branch.ts";
import { configuredFilters, filteredPaths, filtersOff } from "./content-filters.ts";
import { refCommit } from "./keep-commit.ts";
import { whyNotMerged } from "./merge-refusal.ts";
import { isObjectId } from "./repository.ts";
import { toText } from "../../system/tree/git-tree.ts";

export type Delivered =
  /** The user's branch and files are at the tip now. */
  | { readonly type: "moved" }
  /** Nothing was touched: why, in a sentence, and what the user types to take the work. */
  | { readonly type: "left"; readonly why: string; readonly command: string };

interface Delivery {
  readonly root: string;
  /** The branch with the work, such as `loop/ID`. */
  readonly branch: string;
  readonly tip: string;
  /** The user's branch when the work began; null when HEAD was detached. */
  readonly userBranch: string | null;
  /** An earlier process began to move it, and nobody recorded what came of that. */
  readonly isBegunBefore: boolean;
  /** Called before anything is touched, with the commit that the user's branch stands at; false: it isn't ours to move any more. */
  readonly begin: (from: string) => Promise<boolean>;
}

const TIME_LIMIT_MS = 5 * 60_000;

const HALF_MOVED =
  "A run was killed while it moved the branch, so changes there may be the loop's work and not yours; look at them with: git status.";

/** A setting of the user's for merges must not make this another one, nor put their changes aside for it. */
const FAST_FORWARD = [
  ...["merge", "--ff-only", "--no-overwrite-ignore", "--no-autostash", "--no-squash", "--commit"],
  ...["--no-verify-signatures", "--no-stat", "--no-progress", "--quiet"],
];

/**
 * Fast-forwards the user's branch with its files, if that is still the one checked out, has nothing that the tip hasn't, and no
 * changed, untracked or ignored file is in the way. All that the user has not committed stays bit by bit.
 */
export async function deliver(options: Delivery): Promise<Delivered> {
  const { root, tip, userBranch } = options;
  const ref = `refs/heads/${userBranch}`;
  // A run that was killed here has moved it, or the user took it; and they may have gone on from there.
  const before = userBranch === null ? null : await refCommit(root, ref);
  if (before !== null && (await isAncestor(root, tip, before))) return { type: "moved" };
  const why = await whyLeft(options);
  if (why !== null || before === null) return left(why ?? `${userBranch} has no commit.`, options);
  if (!(await options.begin(before))) return left("The loop was stopped or ended meanwhile.", options);
  const off = [...(await configuredHooksOff(root)), ...filtersOff(await configuredFilters(root))];
  const outcome = await runGit({ root, args: [...off, ...FAST_FORWARD, tip], timeoutMs: TIME_LIMIT_MS });
  if ((await refCommit(root, ref)) === tip) return { type: "moved" };
  const said = toText(outcome.message);
  const refusal = outcome.ok ? "git did not move the branch." : whyNotMerged(said);
  return left(options.isBegunBefore ? `${refusal} ${HALF_MOVED}` : refusal, options);
}

async function left(why: string, { root, branch, tip, userBranch }: Delivery): Promise<Delivered> {
  const isElsewhere = userBranch !== null && (await checkedOutRef(root)) !== `refs/heads/${userBranch}`;
  const first = isElsewhere ? `git switch ${quoted(userBranch)} && ` : "";
  // Somebody may have put other work onto the branch since.
  const isTip = (await refCommit(root, `refs/heads/${branch}`)) === tip;
  return { type: "left", why, command: `${first}git merge ${isTip ? quoted(branch) : tip}` };
}

function quoted(name: string): string {
  return /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}

/** Null: nothing that can be told beforehand. */
async function whyLeft({ root, branch, tip, userBranch }: Delivery): Promise<string | null> {
  if (userBranch === null) return "HEAD was detached when the work began, so there is no branch to move.";
  const now = await checkedOutRef(root);
  if (now === null) return `HEAD is detached, and not on ${userBranch} any more.`;
  if (now !== `refs/heads/${userBranch}`)
    return `${now.replace("refs/heads/", "")} is checked out, and not ${userBranch} any more.`;
  const head = await refCommit(root, "HEAD");
  if (head === null) return `${userBranch} has no commit.`;
  if (!isObjectId(tip) || (await refCommit(root, tip)) === null)
    return `The last commit of ${branch} is no longer in the repository.`;
  if (!(await isAncestor(root, head, tip)))
    return `${userBranch} has commits that ${branch} doesn't have, so it can't be fast-forwarded.`;
  return whyNotOurs(root, head, tip);
}

/** Files that only the user's own git can bring into place. */
async function whyNotOurs(root: string, head: string, tip: string): Promise<string | null> {
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--raw", head, tip];
  const outcome = await runGit({ root, args });
  if (!outcome.ok) return "git can't compare the branches.";
  const parts = outcome.stdout.toString("latin1").split("\0").slice(0, -1);
  const paths = parts.filter((_, at) => at % 2 === 1);
  const submodule = parts.findIndex((part, at) => at % 2 === 0 && / ?:?160000 /.test(part));
  if (submodule !== -1)
    return `The submodule ${toText(parts[submodule + 1] ?? "")} changes, which needs \`git submodule update\` afterwards.`;
  const [filtered] = await filteredPaths({ root, tip, paths });
  if (filtered !== undefined)
    return `${toText(filtered)} goes through a filter of your git's, which is not run for you.`;
  return null;
}
