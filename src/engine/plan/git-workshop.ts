import type { CheckSite } from "../../verify/checks/check-site.ts";
import type { Setback } from "../../core/plan/workflow.ts";
import { lastAttempt } from "../../core/plan/workflow.ts";
import { removeBranch } from "../../worktrees/integration/branch.ts";
import { deliver } from "../../worktrees/integration/deliver.ts";
import { keepCommit, refCommit } from "../../worktrees/checkpoints/refs.ts";
import { keepResult } from "../../worktrees/integration/keep-result.ts";
import type { ResultToKeep } from "../../worktrees/integration/keep-result.ts";
import { layOver } from "../../worktrees/integration/lay-over.ts";
import { addPatiently, checkOut } from "../../worktrees/attempts/add-worktree.ts";
import {
  allRef,
  carryRef,
  keptFiles,
  QUEUE_NAME,
  resultRef,
  unfinishedRef,
} from "../../worktrees/attempts/kept-attempt.ts";
import { attemptName, readMarker, worktreePath } from "../../worktrees/attempts/marker.ts";
import type { WorktreeName } from "../../worktrees/attempts/marker.ts";
import { removeQueue, removeWorktree } from "../../worktrees/attempts/remove-worktree.ts";
import { takeSlot } from "../../worktrees/attempts/resources.ts";
import type { Slot } from "../../worktrees/attempts/resources.ts";
import { DiskRoom } from "./disk-room.ts";
import type { AttemptEnvelope } from "./executor.ts";
import { Foresight } from "./foresight.ts";
import type { WorkshopOptions } from "./fresh-worktree.ts";
import { setUp, siteIn, whyNotAdded } from "./fresh-worktree.ts";
import { makeReady } from "./make-ready.ts";
import { trackedIn, writtenIn } from "./not-the-work.ts";
import { doubtsOf, notKept, notLaid } from "./workshop-outcomes.ts";
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
  const foresight = new Foresight(repository, loop);
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
    foresee: async (workflow) => foresight.foresee(workflow),
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
        written: writtenIn(options, envelope.loop),
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
        (await refCommit(project.root, allRef({ ...attempt, loop }))) === null &&
        attempt.state.type === "finished" &&
        attempt.state.confidence === "verified" &&
        attempt.state.doubts.length === 0 &&
        attempt.base === onto
      );
    },
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
