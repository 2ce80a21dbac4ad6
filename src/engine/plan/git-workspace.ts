import type { CheckSite } from "../../verify/checks/check-site.ts";
import { lastAttempt, type Setback } from "../../core/plan/workflow.ts";
import { removeBranch } from "../../worktrees/integration/branch.ts";
import { deliver } from "../../worktrees/integration/deliver.ts";
import { wasPruned } from "../../worktrees/checkpoints/pruned.ts";
import { keepCommit, refCommit, setCheckpointRef } from "../../worktrees/checkpoints/refs.ts";
import { keepResult, type ResultToKeep, type KeptResult } from "../../worktrees/integration/keep-result.ts";
import { layOver, type LaidOver } from "../../worktrees/integration/lay-over.ts";
import { addPatiently, checkOut } from "../../worktrees/attempts/add-worktree.ts";
import {
  allRef,
  carryRef,
  keptFiles,
  mergingRef,
  QUEUE_NAME,
  resultRef,
  undoneRef,
  unfinishedRef,
} from "../../worktrees/attempts/list-worktrees.ts";
import { attemptName, readMarker, worktreePath, type WorktreeName } from "../../worktrees/attempts/marker.ts";
import { removeQueue, removeWorktree } from "../../worktrees/attempts/remove-worktree.ts";
import { takeSlot, type Slot } from "../../worktrees/attempts/resources.ts";
import { DiskRoom } from "./attempt-worktrees.ts";
import type { AttemptEnvelope, AttemptOutcome } from "./executor.ts";
import { ConflictForecast } from "./conflict-forecast.ts";
import type { WorkspaceOptions } from "./fresh-worktree.ts";
import { setUp, siteIn, trackedIn, whyNotAdded, writtenIn } from "./fresh-worktree.ts";
import { fileList } from "../../views/file-list.ts";
import { makeReady } from "./make-ready.ts";
import { TouchedFiles } from "./touched-files.ts";
import type { Workspace } from "./workspace.ts";

export function gitWorkspace(options: WorkspaceOptions): Workspace {
  const { machine, project, loop } = options;
  const repository = { root: project.root, stateHome: machine.home };
  const nameOf = (name: string): WorktreeName => ({ ...repository, loop, name });
  const attemptOf = ({ task, number }: Pick<AttemptEnvelope, "task" | "number">): WorktreeName =>
    nameOf(attemptName(task, number));
  const keep = async (
    envelope: Pick<AttemptEnvelope, "task" | "number" | "base">,
    ref: string,
    without?: ResultToKeep["without"],
  ): ReturnType<typeof keepResult> =>
    keepResult({
      ...repository,
      worktree: worktreePath(attemptOf(envelope)),
      base: envelope.base ?? "",
      ref,
      message: `${envelope.task}: attempt ${envelope.number}`,
      trailers: { Loop: loop, "Loop-Task": envelope.task, "Loop-Attempt": String(envelope.number) },
      ...(without === undefined ? {} : { without }),
    });
  const disk = new DiskRoom(options);
  const conflictForecast = new ConflictForecast(repository, loop);
  const touchedFiles = new TouchedFiles(project.root);
  let queueSlot: Slot | null = null;
  // Kept for as long as this process lives: merges come one after the other.
  const queueEnv = (): NodeJS.ProcessEnv => (queueSlot ??= takeSlot(machine.home, 0)).env;
  const queueSite = (signal: AbortSignal): CheckSite =>
    siteIn(options, worktreePath(nameOf(QUEUE_NAME)), queueEnv(), signal);
  return {
    isInPlace: false,
    pathOf: (task, number) => worktreePath(attemptOf({ task, number })),
    makeReady: async (context) =>
      makeReady(options, context, nameOf(QUEUE_NAME), { env: queueEnv(), siteOf: queueSite }),
    room: async (workflow) => disk.room(workflow),
    foresee: async (workflow) => conflictForecast.foresee(workflow),
    prepare: async (envelope, { isOpened }, signal) => {
      const added = await addPatiently({ ...attemptOf(envelope), commit: envelope.base ?? "" });
      if (added.type !== "there")
        return {
          type: "paused",
          reason: "blocked",
          detail: `its worktree can't be made: ${whyNotAdded(added)}`,
        };
      const slot = takeSlot(machine.home, envelope.slot);
      if (!added.isNew && isOpened) return { type: "ready", ...slot };
      const why = await setUp(options, added.path, slot.env, signal);
      if (why === null && !signal.aborted) return { type: "ready", ...slot };
      slot.release();
      return signal.aborted ? { type: "stopped" } : { type: "failed", setback: setupFailed(why ?? "") };
    },
    layOver: async ({ carry, base, ...envelope }, { ifUntouched }) => {
      if (carry === null || base === null) return null;
      const worktree = worktreePath(attemptOf(envelope));
      return notLaid(await layOver({ ...repository, worktree, commit: carry, onto: base, ifUntouched }));
    },
    keepResult: async (envelope, { confidence, checked }) => {
      const worktree = worktreePath(attemptOf(envelope));
      const kept = await keep(envelope, resultRef({ ...envelope, loop }), {
        written: writtenIn(options, [loop, envelope.loop]),
        tracked: async () => trackedIn(project.root, worktree),
        allRef: allRef({ ...envelope, loop }),
      });
      if (kept.type !== "kept") return notKept(kept);
      // Read after they were kept: as they were checked then, they were so when they were kept.
      const now = await machine.git.readTree(worktree);
      const isAsChecked = checked.every((digest) => digest === now?.digest);
      return {
        type: "finished",
        // Without changes there is nothing to merge, and the branch stays where it is.
        commit: kept.isUnchanged ? envelope.base : kept.commit,
        confidence,
        doubts: doubtsOf(isAsChecked, kept.leftOut),
      };
    },
    keepUnfinished: async (envelope) => {
      const kept = await keep(envelope, unfinishedRef({ ...envelope, loop }));
      return kept.type === "worktree-gone" || kept.type === "failed" ? notKept(kept) : null;
    },
    wasChecked: async (workflow, { accepted, onto }, checks) => {
      const [only, ...others] = accepted;
      const attempt = only === undefined ? null : lastAttempt(workflow, only.task);
      const isAlone = others.length === 0 && checks.length === 1 && checks[0]?.name === only?.task;
      // Based on what it is merged onto, its merge has the files on which the attempt's own checks and proofs ran, if none was left out.
      return (
        isAlone &&
        attempt !== null &&
        // What a worker says of its own files is checked here.
        attempt.worker === undefined &&
        (await refCommit(project.root, allRef({ ...attempt, loop }))) === null &&
        attempt.state.type === "finished" &&
        attempt.state.confidence === "verified" &&
        attempt.state.doubts.length === 0 &&
        attempt.base === onto
      );
    },
    touched: async (commits) => touchedFiles.of(commits),
    keepMerging: async ({ commit, onto }) => {
      const { root } = project;
      const { ok } = await setCheckpointRef({ root, ref: mergingRef(loop), commit });
      return ok && !(await wasPruned({ root, commit, beyond: onto }));
    },
    keepUndone: async (merges, commit) =>
      void (await keepCommit({ root: project.root, ref: undoneRef(loop, merges), commit })),
    keepCarry: async (task, number, commit) =>
      void (await keepCommit({
        root: project.root,
        ref: carryRef({ loop, task, number }),
        commit,
      })),
    siteAt: async (commit, signal, { isFresh = false } = {}) => {
      const added = await checkOut({ ...nameOf(QUEUE_NAME), commit: commit ?? "" }, { isFresh });
      if (added.type !== "there") return { type: "failed", why: whyNotAdded(added) };
      const why = await setUp(options, added.path, queueEnv(), signal);
      return why === null ? { type: "ready", site: queueSite(signal) } : { type: "no-setup", why };
    },
    deliver: async ({ branch, deliveredFrom }, begin) => {
      if (branch === null) return null;
      const { name, tip, userBranch } = branch;
      const delivered = await deliver({
        ...{ root: project.root, branch: name, tip, userBranch, begin },
        isBegunBefore: deliveredFrom !== null,
      });
      if (delivered.type === "moved") return { how: "moved", why: null };
      return { how: "left", why: `${delivered.why} Take it with: ${delivered.command}` };
    },
    tidy: async ({ attempts, branch }, { isOver, isCancelled = false }) => {
      for (const { task, number, base, state } of attempts) {
        const which = attemptOf({ task, number });
        if (!isOver && (state.type === "running" || state.type === "finished")) continue;
        if (readMarker(which) === null) continue;
        const attempt = { loop, task, number };
        if (state.type === "running") await keep({ task, number, base }, unfinishedRef(attempt));
        const kept = await keptFiles(project.root, attempt);
        const removed = await removeWorktree({ ...which, kept });
        if (removed.type !== "unkept" || kept !== null) continue;
        // No agent worked there, so nothing was kept: these are what checks wrote.
        await keep({ task, number, base }, unfinishedRef(attempt));
        await removeWorktree({ ...which, kept: await keptFiles(project.root, attempt) });
      }
      if (!isOver || branch === null) return;
      const { name, from, tip } = branch;
      if (readMarker(nameOf(QUEUE_NAME)) !== null) await removeQueue({ ...repository, loop, tip });
      // Nothing was merged, and nothing will be.
      if (tip === from && (isCancelled || attempts.length === 0))
        await removeBranch({ root: project.root, name, at: tip });
    },
  };
}

function setupFailed(detail: string): Setback {
  return { kind: "setup", detail, carry: null, failing: [] };
}

const CHANGED_SINCE = "its files changed after its checks had run";

/** Why a result may not be what its checks ran on. */
function doubtsOf(isAsChecked: boolean, leftOut: readonly string[]): readonly string[] {
  return [...(isAsChecked ? [] : [CHANGED_SINCE]), ...leftOutText(leftOut)];
}

function leftOutText(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  return [
    `${fileList(paths)} can't be merged: a file of more than 100 MB, one that can't be read, or another repository`,
  ];
}

/** Null: what it carries on is there. */
function notLaid(laid: LaidOver): ReturnType<typeof lost> | NotNow | null {
  switch (laid.type) {
    case "worked-in":
      return null;
    case "laid":
      return laid.left.length === 0 ? null : notNow(`${fileList(laid.left)} is in its way`);
    case "commit-unknown":
      return lost("The merge that it was to carry on is no longer in the repository.");
    case "failed":
      return notNow(laid.why);
  }
}

type NotNow = Extract<AttemptOutcome, { readonly type: "paused" }>;

function notNow(why: string): NotNow {
  const detail = `the files that it carries on can't be put into its worktree: ${why}`;
  return { type: "paused", reason: "blocked", detail };
}

/** What becomes of an attempt whose files can't be kept. */
function notKept(kept: Exclude<KeptResult, { readonly type: "kept" }>): AttemptOutcome {
  switch (kept.type) {
    case "base-unknown":
      return lost("The commit that it started from is no longer in the repository.");
    case "worktree-gone":
      return lost("Its worktree was deleted.");
    case "ref-taken":
      return lost(`Another result is kept in its place: ${kept.by}.`);
    // Its files are all in its worktree: once git can write again, they are kept.
    case "failed":
      return { type: "paused", reason: "blocked", detail: `its files can't be kept: ${kept.why}` };
  }
}

function lost(detail: string): Extract<AttemptOutcome, { readonly type: "set-back" }> {
  return { type: "set-back", setback: { kind: "lost", detail, carry: null, failing: [] } };
}
