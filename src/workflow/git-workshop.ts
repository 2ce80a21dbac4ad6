import type { CheckSite } from "../checks/check-site.ts";
import type { Setback } from "../core/plan/workflow.ts";
import { lastAttempt } from "../core/plan/workflow.ts";
import { deliver } from "../integration/deliver.ts";
import { keepCommit } from "../integration/keep-commit.ts";
import { keepResult, type KeptResult } from "../integration/keep-result.ts";
import { layOver } from "../integration/lay-over.ts";
import { addPatiently } from "../worktrees/add-worktree.ts";
import { checkOut } from "../worktrees/check-out.ts";
import { keptAttempt, QUEUE_NAME, resultRef, unfinishedRef } from "../worktrees/kept-attempt.ts";
import { attemptName, readMarker, worktreePath, type WorktreeName } from "../worktrees/marker.ts";
import { removeWorktree } from "../worktrees/remove-worktree.ts";
import { slotEnvironment } from "../worktrees/slots.ts";
import type { AttemptEnvelope } from "./executor.ts";
import type { WorkshopOptions } from "./fresh-worktree.ts";
import { setUp, siteIn, whyNotAdded } from "./fresh-worktree.ts";
import { makeReady } from "./make-ready.ts";
import type { Workshop } from "./workshop.ts";

export function gitWorkshop(options: WorkshopOptions): Workshop {
  const { machine, project, loop } = options;
  const repository = { root: project.root, stateHome: machine.home };
  const nameOf = (name: string): WorktreeName => ({ ...repository, loop, name });
  const attemptOf = ({ task, number }: Pick<AttemptEnvelope, "task" | "number">): WorktreeName =>
    nameOf(attemptName(task, number));
  const keep = async (
    envelope: Pick<AttemptEnvelope, "task" | "number" | "base">,
    ref: string,
  ): ReturnType<typeof keepResult> =>
    keepResult({
      ...repository,
      worktree: worktreePath(attemptOf(envelope)),
      base: envelope.base ?? "",
      ref,
      message: `${envelope.task}: attempt ${envelope.number}`,
      trailers: { Loop: loop, "Loop-Task": envelope.task, "Loop-Attempt": String(envelope.number) },
    });
  const queueSite = (signal: AbortSignal): CheckSite =>
    siteIn(options, worktreePath(nameOf(QUEUE_NAME)), signal);
  return {
    isInPlace: false,
    pathOf: (task, number) => worktreePath(attemptOf({ task, number })),
    makeReady: async (context) => makeReady(options, context, nameOf(QUEUE_NAME), queueSite),
    prepare: async (envelope, { isOpened }, signal) => {
      const added = await addPatiently({ ...attemptOf(envelope), commit: envelope.base ?? "" });
      if (added.type !== "there") return { type: "failed", setback: setupFailed(whyNotAdded(added)) };
      const env = slotEnvironment(envelope.slot);
      if (!added.isNew && isOpened) return { type: "ready", env };
      const why = await setUp(options, added.path, env, signal);
      if (signal.aborted) return { type: "stopped" };
      return why === null ? { type: "ready", env } : { type: "failed", setback: setupFailed(why) };
    },
    layOver: async ({ carry, base, ...envelope }) => {
      if (carry === null || base === null) return;
      const worktree = worktreePath(attemptOf(envelope));
      await layOver({ ...repository, worktree, commit: carry, onto: base });
    },
    keepResult: async (envelope, confidence) => {
      const kept = await keep(envelope, resultRef({ ...envelope, loop }));
      // Without changes there is nothing to merge, and the branch stays where it is.
      if (kept.type === "kept")
        return { type: "finished", commit: kept.isUnchanged ? envelope.base : kept.commit, confidence };
      return { type: "set-back", setback: lost(kept) };
    },
    keepUnfinished: async (envelope) => {
      const kept = await keep(envelope, unfinishedRef({ ...envelope, loop }));
      return kept.type === "worktree-gone" ? lost(kept) : null;
    },
    wasChecked: async (workflow, accepted, checks) => {
      const [only, ...others] = accepted;
      const attempt = only === undefined ? null : lastAttempt(workflow, only.task);
      const isAlone = others.length === 0 && checks.length === 1 && checks[0]?.name === only?.task;
      // Based on the tip, its merge has the files on which the attempt's own checks and proofs ran.
      return (
        isAlone &&
        attempt?.state.type === "finished" &&
        attempt.state.confidence === "verified" &&
        attempt.base === workflow.branch?.tip
      );
    },
    keepCarry: async (task, number, commit) =>
      void (await keepCommit({
        root: project.root,
        ref: `${resultRef({ loop, task, number })}-carry`,
        commit,
      })),
    siteAt: async (commit, signal) => {
      const added = await checkOut({ ...nameOf(QUEUE_NAME), commit });
      if (added.type !== "there") return { type: "failed", why: whyNotAdded(added) };
      const why = await setUp(options, added.path, slotEnvironment(0), signal);
      return why === null ? { type: "ready", site: queueSite(signal) } : { type: "no-setup", why };
    },
    deliver: async ({ branch }) => {
      if (branch === null) return null;
      const { name, tip, userBranch } = branch;
      const delivered = await deliver({ root: project.root, branch: name, tip, userBranch });
      if (delivered.type === "moved") return { how: "moved", why: null };
      return { how: "left", why: `${delivered.why} Take it with: ${delivered.command}` };
    },
    tidy: async ({ attempts, branch }, { isOver }) => {
      for (const { task, number, base, state } of attempts) {
        const which = attemptOf({ task, number });
        if (!isOver && (state.type === "running" || state.type === "finished")) continue;
        if (readMarker(which) === null) continue;
        const attempt = { loop, task, number };
        if (state.type === "running") await keep({ task, number, base }, unfinishedRef(attempt));
        await discard(which, await keptAttempt(project.root, attempt));
      }
      const queue = nameOf(QUEUE_NAME);
      if (!isOver || branch === null || readMarker(queue) === null) return;
      // Nobody works there: what is in it was checked out, or made by checks.
      await checkOut({ ...queue, commit: branch.tip });
      await discard(queue, branch.tip);
    },
  };
}

/** Only what is kept elsewhere; commits that an agent made there get a ref. */
async function discard(which: WorktreeName, kept: string | null): Promise<void> {
  await removeWorktree({ ...which, kept, strayRef: `refs/loopwright/${which.loop}/strays/${which.name}` });
}

function setupFailed(detail: string): Setback {
  return { kind: "setup", detail, carry: null };
}

function lost(kept: Exclude<KeptResult, { readonly type: "kept" }>): Setback {
  return { kind: "lost", detail: whyLost(kept), carry: null };
}

function whyLost(kept: Exclude<KeptResult, { readonly type: "kept" }>): string {
  switch (kept.type) {
    case "base-unknown":
      return "The commit that it started from is no longer in the repository.";
    case "worktree-gone":
      return "Its worktree was deleted.";
    case "ref-taken":
      return `Another result is kept in its place: ${kept.by}.`;
    case "failed":
      return kept.why;
  }
}
