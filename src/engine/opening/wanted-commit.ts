import type { EventOf } from "../../core/events/event.ts";
import type { LoopId } from "../../core/loop/id.ts";
import { hasIdentity } from "../../system/git/settings.ts";
import { UserError } from "../../core/user-error.ts";
import { openingCallerLocation, type CallerLocation } from "../../storage/home/project.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { findGitFolders } from "../../system/git/git-files.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { addedPaths } from "../../system/tree/tree-digest.ts";
import { noteWritten } from "../../verify/baseline/loop-baselines.ts";
import { blindChecks } from "../../verify/proofs/break-sources.ts";
import { addPatiently } from "../../worktrees/attempts/add-worktree.ts";
import { onlyAttempt } from "../../worktrees/attempts/list-worktrees.ts";
import { attemptName, worktreePath, type WorktreeName } from "../../worktrees/attempts/marker.ts";
import { throwAway } from "../../worktrees/attempts/remove-worktree.ts";
import { checkedOutRef } from "../../worktrees/integration/branch.ts";
import { uncommittedFiles } from "../../worktrees/integration/worktree-files.ts";
import { expectStartable } from "../plan/drive-workflow.ts";
import { setUp, siteIn, whyNotAdded, type WorkspaceOptions } from "../plan/fresh-worktree.ts";
import { fileList } from "../../views/file-list.ts";
import { BY_NOBODY } from "../plan/make-ready.ts";
import { blindText } from "../plan/tried-checks.ts";
import { rememberPlan, type PlanChoice } from "../run/agent-choice.ts";
import type { AskedCriterion, AskedWork, Preflighted } from "./asked-loop.ts";
import { checksToLookAt } from "./preflight.ts";
import type { Opener } from "./opener.ts";

/** That the work is to become a commit: on the user's branch, on one of its own in a worktree, or first there and then here. */
export interface CommitWish {
  readonly worktree: boolean;
  readonly commit: boolean;
  readonly acceptsWeak: boolean;
  /** How a worktree is made ready. */
  readonly how: () => PlanChoice;
}

/** What the opening of such a loop needs. */
export interface CommitPlan {
  readonly wanted: EventOf<"commit.wanted">;
  /** null: it works in the user's checkout. */
  readonly own: OwnWorktree | null;
}

interface OwnWorktree {
  readonly work: AskedWork;
  /** Before the checks run there. */
  readonly make: () => Promise<void>;
  /** Says what they have shown of the place. */
  readonly judge: (criteria: readonly AskedCriterion[], before: Preflighted) => Promise<void>;
  /** The loop is open. */
  readonly opened: () => void;
  /** No loop was opened, so nobody needs it. */
  readonly drop: () => Promise<void>;
}

export async function planCommit(opener: Opener, wish: CommitWish, id: LoopId): Promise<CommitPlan> {
  const { machine, tell } = opener;
  const at = openingCallerLocation(machine.cwd);
  const { from, branch } = await expectCommittable(machine, wish);
  await tellUncommitted(opener, wish, at, from);
  if (!(await hasIdentity(at.project.root))) tell(BY_NOBODY);
  const wanted = {
    type: "commit.wanted",
    from,
    onto: wish.commit ? (branch ?? "").replace("refs/heads/", "") : null,
    branch: wish.worktree ? `loop/${id}` : null,
    acceptsWeak: wish.acceptsWeak,
  } as const;
  return { wanted, own: wish.worktree ? ownWorktree(opener, wish, { at, id, from }) : null };
}

/** Before anything is asked: the commit to start from, and the branch. Throws where nothing can be committed. */
export async function expectCommittable(
  machine: Machine,
  { worktree, commit }: { readonly worktree?: boolean; readonly commit?: boolean },
): Promise<{ readonly from: string; readonly branch: string | null }> {
  const { root } = openingCallerLocation(machine.cwd).project;
  const flag = worktree === true ? "--worktree" : "--commit";
  if (findGitFolders(root) === null)
    throw new UserError(
      `${flag} needs a git repository, and ${oneLine(root, 200)} isn't in one; run git init there and commit what you have, or leave ${flag} out.`,
    );
  const from = await machine.git.headCommit(root);
  if (from === null) throw new UserError(`${flag} needs a commit to start from; commit what you have first.`);
  if (worktree === true) await expectStartable(machine);
  const branch = await checkedOutRef(root);
  if (branch === null && commit === true)
    throw new UserError(
      "--commit needs a branch, and HEAD is detached; make one with: git switch -c NAME, or use --worktree alone.",
    );
  return { from, branch };
}

async function tellUncommitted(
  { machine, tell }: Opener,
  { worktree }: CommitWish,
  { project: { root } }: CallerLocation,
  from: string,
): Promise<void> {
  const files = (await uncommittedFiles({ root, stateHome: machine.home }, from)) ?? [];
  if (files.length === 0) return;
  tell(
    worktree
      ? `The work starts from your last commit, without what you have not committed: ${fileList(files)}`
      : `Your uncommitted changes stay out of the commit: ${fileList(files)}. If the work changes one of these files, nothing is committed.`,
  );
}

/** Where a loop's own worktree is. */
export function ownWorktreeOf(where: Pick<WorktreeName, "stateHome" | "root" | "loop">): WorktreeName {
  const { task, number } = onlyAttempt(where.loop);
  return { ...where, name: attemptName(task, number) };
}

function ownWorktree(
  { machine, tell }: Opener,
  wish: CommitWish,
  { at, id, from }: { readonly at: CallerLocation; readonly id: LoopId; readonly from: string },
): OwnWorktree {
  const { project, folder } = at;
  const which = ownWorktreeOf({ stateHome: machine.home, root: project.root, loop: id });
  const path = worktreePath(which);
  const how = wish.how();
  const options: WorkspaceOptions = { machine, project, loop: id, folder, how };
  const { signal } = new AbortController();
  let bySetup: readonly string[] = [];
  return {
    work: { worktree: path, folder },
    make: async () => {
      tell(`It works in a worktree of its own: ${path}`);
      const added = await addPatiently({ ...which, commit: from });
      if (added.type !== "there") throw new UserError(`No worktree can be made: ${whyNotAdded(added)}`);
      const before = await machine.git.readTree(path);
      const why = await setUp(options, path, {}, signal, tell);
      if (why !== null)
        throw new UserError(
          `The worktree can't be made ready: ${why.trimEnd()}\nName what prepares it with --setup COMMAND, or --setup true for nothing.`,
        );
      bySetup = addedPaths(before, await machine.git.readTree(path));
    },
    judge: async (criteria, { looked }) => {
      if (looked === undefined) return;
      const checks = checksToLookAt(criteria);
      for (const blind of await blindChecks(machine, siteIn(options, path, {}, signal), checks, looked))
        tell(blindText({ tasks: [] }, blind));
    },
    opened: () => {
      noteWritten({ home: machine.home, root: project.root, id }, bySetup);
      // Somebody may delete it, and resume the loop.
      rememberPlan(machine.home, project.root, id, how);
    },
    drop: async () => void (await throwAway(which)),
  };
}
