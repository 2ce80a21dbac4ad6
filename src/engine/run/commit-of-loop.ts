import { isCommitDue, type CommitOfLoop, type MadeCommit } from "../../core/loop/commit.ts";
import { isRepeatable } from "../../core/loop/criterion.ts";
import { listed } from "../../core/listed.ts";
import { topFrame, type Loop } from "../../core/loop/loop.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { commitMessage } from "../../views/commit-message.ts";
import type { CompletedLoop } from "../../views/completion.ts";
import {
  allRef,
  keptFiles,
  onlyAttempt,
  resultRef,
  unfinishedRef,
} from "../../worktrees/attempts/list-worktrees.ts";
import { removeWorktree } from "../../worktrees/attempts/remove-worktree.ts";
import { checkpointsOfLoop, refCommit } from "../../worktrees/checkpoints/refs.ts";
import { commitOnto, moveBranch, type Trailers } from "../../worktrees/integration/branch.ts";
import { commitWork } from "../../worktrees/integration/commit-work.ts";
import { deliver } from "../../worktrees/integration/deliver.ts";
import { keepResult } from "../../worktrees/integration/keep-result.ts";
import { treeOf } from "../../worktrees/integration/repository.ts";
import { runChecks } from "../../verify/checks/run-checks.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { checkSiteOf, checksOf } from "../opening/checks-of-loop.ts";
import { ownWorktreeOf } from "../opening/wanted-commit.ts";
import { keptWork } from "../plan/open-attempts.ts";
import { trackedIn, writtenIn } from "../plan/fresh-worktree.ts";

/** Git or the disk did not allow it now. */
interface NotNow {
  readonly type: "not-now";
  readonly why: string;
}

type Committing = Pick<KnownLoop, "id" | "live" | "workingDirectory"> & {
  readonly machine: Machine;
  readonly loop: CompletedLoop;
  readonly wanted: CommitOfLoop;
};

/** What an earlier run left to do. Anybody can write to a journal, so its checks pass once more before the work becomes a commit. */
export async function commitLater(machine: Machine, known: KnownLoop): Promise<string | null> {
  const checks = checksOf(topFrame(known.live.loop).criteria.filter(isRepeatable));
  const { evidence } = await runChecks(checkSiteOf(machine, known), checks);
  const failing = checks.filter(({ name }) => evidence.get(name)?.passed !== true).map(({ name }) => name);
  if (failing.length > 0)
    return `${listed(
      failing.map((name) => `"${oneLine(name, 60)}"`),
      3,
    )} doesn't pass now`;
  return commitCompleted(machine, known);
}

/**
 * Commits the work of a completed loop, if that is wanted and nobody has done it. Killed at any point, doing it again finds what is
 * there. Returns why it has to be tried again; null: it is recorded, or nothing was due.
 */
export async function commitCompleted(
  machine: Machine,
  { id, live, workingDirectory }: Pick<KnownLoop, "id" | "live" | "workingDirectory">,
): Promise<string | null> {
  const loop = await live.refresh();
  if (!isCommitDue(loop) || loop.phase !== "completed" || loop.commit === undefined) return null;
  const committing = { machine, id, live, workingDirectory, loop, wanted: loop.commit };
  const made = loop.commit.branch === null ? await inPlace(committing) : await onOwnBranch(committing);
  if ("type" in made) return made.why;
  await live.record((now) => (isCommitDue(now) ? [{ type: "work.committed", ...made }] : []));
  if (loop.commit.branch !== null) await removeOwnWorktree(committing);
  return null;
}

const NOTHING: MadeCommit = { commit: null, before: null, why: null };

function left(why: string): MadeCommit {
  return { commit: null, before: null, why };
}

async function inPlace({ machine, id, live, loop, wanted }: Committing): Promise<MadeCommit | NotNow> {
  const { root } = live.project;
  if (!isSureEnough(loop, wanted)) return left(tooWeak(loop));
  const since = await refCommit(root, `${checkpointsOfLoop(id)}/1`);
  if (since === null) return left("no checkpoint says what the files were before the work");
  const done = await commitWork({
    root,
    stateHome: machine.home,
    since,
    from: wanted.from,
    branch: wanted.onto ?? "",
    ref: `${checkpointsOfLoop(id)}/work`,
    message: (others) => commitMessage(loop, others),
    trailers: trailersOf(loop),
    without: {
      written: writtenIn({ machine, project: live.project }, [id]),
      tracked: async () => trackedIn(root, root),
    },
  });
  switch (done.type) {
    case "committed":
      return { commit: done.commit, before: done.before, why: null };
    case "nothing":
      return NOTHING;
    case "left":
      return left(`${done.why}; look at the work with git status, and commit it yourself`);
    case "failed":
      return { type: "not-now", why: done.why };
  }
}

/** Its own branch takes whatever came of it; the user's only what is sure enough. */
async function onOwnBranch(committing: Committing): Promise<MadeCommit | NotNow> {
  const { live, loop, wanted } = committing;
  const { root } = live.project;
  const kept = await keepWork(committing);
  if (kept.type !== "kept") return kept;
  if (kept.isUnchanged) return NOTHING;
  const commit = await commitOnBranch(committing, kept.commit);
  if (typeof commit !== "string") return commit;
  const { onto, branch } = wanted;
  if (onto === null) return { commit, before: null, why: null };
  const take = `take it with: git merge ${branch ?? ""}`;
  if (!isSureEnough(loop, wanted))
    return { commit, before: null, why: `${onto} stays: ${tooWeak(loop)}; ${take}` };
  let before = wanted.from;
  const delivered = await deliver({
    root,
    branch: branch ?? "",
    tip: commit,
    userBranch: onto,
    isBegunBefore: false,
    begin: async (from) => {
      before = from;
      return true;
    },
  });
  return delivered.type === "moved"
    ? { commit, before, why: null }
    : { commit, before: null, why: `${delivered.why} Take it with: ${delivered.command}` };
}

async function keepWork({
  machine,
  id,
  live,
  loop,
  wanted,
  workingDirectory,
}: Committing): Promise<
  { readonly type: "kept"; readonly commit: string; readonly isUnchanged: boolean } | NotNow
> {
  const { root } = live.project;
  const attempt = onlyAttempt(id);
  const kept = await keepResult({
    root,
    stateHome: machine.home,
    worktree: workingDirectory.root,
    base: wanted.from,
    ref: resultRef(attempt),
    message: commitMessage(loop, []),
    trailers: trailersOf(loop),
    without: {
      written: writtenIn({ machine, project: live.project }, [id]),
      tracked: async () => trackedIn(root, workingDirectory.root),
      allRef: allRef(attempt),
    },
  });
  switch (kept.type) {
    case "kept":
      return { type: "kept", commit: kept.commit, isUnchanged: kept.isUnchanged };
    case "worktree-gone": {
      // It was removed once all was kept, or somebody deleted it.
      const commit = await refCommit(root, resultRef(attempt));
      if (commit !== null) return { type: "kept", commit, isUnchanged: false };
      return { type: "not-now", why: `its worktree, ${workingDirectory.root}, is gone` };
    }
    case "base-unknown":
      return { type: "not-now", why: "the commit that it began at is no longer in the repository" };
    case "ref-taken":
      return { type: "not-now", why: `other files are kept as its work already: ${kept.by.slice(0, 12)}` };
    case "failed":
      return { type: "not-now", why: kept.why };
  }
}

/** In the user's name, as every commit that a plan brings. */
async function commitOnBranch({ live, loop, wanted }: Committing, work: string): Promise<string | NotNow> {
  const { root } = live.project;
  const name = wanted.branch ?? "";
  const tree = await treeOf(root, work);
  const there = await refCommit(root, `refs/heads/${name}`);
  const isOurs =
    there !== null &&
    (await treeOf(root, there)) === tree &&
    (await refCommit(root, `${there}^`)) === wanted.from;
  if (isOurs) return there;
  const message = commitMessage(loop, []);
  const made = await commitOnto({
    root,
    tip: wanted.from,
    tree: tree ?? "",
    message,
    trailers: trailersOf(loop),
  });
  if (made.type === "failed") return { type: "not-now", why: made.why };
  const moved = await moveBranch({ root, name, from: null, to: made.commit });
  switch (moved.type) {
    case "moved":
      return made.commit;
    case "taken":
    case "checked-out":
      return { type: "not-now", why: `there is a branch ${name} already, with something else on it` };
    case "failed":
      return { type: "not-now", why: moved.why };
  }
}

/** A loop that came to nothing: what it did is kept in a ref, and its worktree goes. */
export async function leaveOwnWorktree(
  machine: Machine,
  { id, live, workingDirectory }: Pick<KnownLoop, "id" | "live" | "workingDirectory">,
): Promise<void> {
  const { root } = live.project;
  await keepResult({
    root,
    stateHome: machine.home,
    worktree: workingDirectory.root,
    base: live.loop.commit?.from ?? "",
    ref: unfinishedRef(onlyAttempt(id)),
    message: `What ${id} came to`,
    trailers: { Loop: id },
  });
  await removeOwnWorktree({ machine, id, live });
}

/** The command that shows what is kept of such a loop; null: nothing. */
export async function halfDoneWork({ id, live }: Pick<KnownLoop, "id" | "live">): Promise<string | null> {
  const base = live.loop.commit?.from ?? null;
  return keptWork(live.project.root, id, { ...onlyAttempt(id), base, state: { type: "running" } });
}

/** Once all of its files are kept; whatever isn't is left, and `loop worktrees` shows it. */
async function removeOwnWorktree({
  machine,
  id,
  live,
}: Pick<Committing, "machine" | "id" | "live">): Promise<void> {
  const { root } = live.project;
  const which = ownWorktreeOf({ stateHome: machine.home, root, loop: id });
  await removeWorktree({ ...which, kept: await keptFiles(root, onlyAttempt(id)) });
}

function isSureEnough({ confidence }: CompletedLoop, { acceptsWeak }: CommitOfLoop): boolean {
  return confidence === "verified" || acceptsWeak;
}

function tooWeak({ confidence }: CompletedLoop): string {
  return `the work is ${confidence}, and only verified work is committed there without --accept weak`;
}

function trailersOf({ id, confidence }: Loop & { readonly phase: "completed" }): Trailers {
  return { Loop: id, "Loop-Confidence": confidence };
}
