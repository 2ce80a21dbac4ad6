import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isInRepository, loopFolder } from "../../storage/home/project.ts";
import { areSeveralOpen } from "../../storage/loops/choose-loop.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { learnFromIt } from "../lifecycle/lifecycle.ts";
import { pruneEndedLoops } from "../lifecycle/turn-folders.ts";
import { UserError } from "../../core/user-error.ts";
import { isActiveFor, isEnded, topFrame, type Loop } from "../../core/loop/loop.ts";
import { isCommitDue } from "../../core/loop/commit.ts";
import { launchLimit } from "../../core/stop/limits.ts";
import { changesSince } from "../../worktrees/checkpoints/changes.ts";
import { JournalError } from "../../storage/journal/journal-error.ts";
import { buryLoop } from "../../storage/home/approval-marks.ts";
import { commitCompleted } from "./commit-of-loop.ts";
import { keepArtifacts } from "./artifacts.ts";
import { launchTurn, NOTHING_TOLD, type Start } from "./launch-turn.ts";
import { lookBeforeFirstTurn, sinceLastTurn, recoverTurn } from "./recover-turn.ts";
import { judgeAsApproved } from "./judge-approved.ts";
import { INTERRUPTED, type RunContext, type RunRequest } from "./run-context.ts";
import { settleTurn, type Settled } from "./settle-turn.ts";
import { recordOurs, watchForLoss } from "./take-loop.ts";
import { recordRunEnd, release, takeOver } from "./take-over.ts";
import { takeTurn } from "./take-turn.ts";
import { witnessCompletion } from "./own-results.ts";

/** Drives a loop from outside its agent until it ends or pauses. If this process is killed, the loop can be resumed. */
export async function driveLoop(machine: Machine, chosen: KnownLoop, request: RunRequest): Promise<Loop> {
  const witness = witnessCompletion(request.tell);
  const context = await takeOver(machine, chosen, { ...request, tell: witness.tell });
  const artifacts = await keepArtifacts(context);
  try {
    if (!hasPlanHere(context)) await pruneEndedLoops(context.machine, context.live.project);
    do {
      await recoverTurn(context);
      const tree = await lookBeforeFirstTurn(context);
      if (topFrame(context.live.loop).iteration > 0) await judgeAsApproved(context);
      await iterate(context, { ...FROM_HERE, ...(await sinceLastTurn(context)), tree }, artifacts.update);
    } while (!(await recordRunEnd(context)));
    if (isCommitDue(context.live.loop) && witness.hasSeen()) await commitWork(context);
  } catch (error) {
    noteDeletion(context, error);
    throw error;
  } finally {
    await release(context);
    await artifacts.finish();
  }
  const loop = await context.live.refresh();
  if (loop.phase === "completed" && !witness.hasSeen())
    throw new UserError(
      `The journal says that the loop ${loop.id} is completed, but this run did not decide that; somebody else wrote it. See: loop log --loop ${loop.id}`,
    );
  await learnFromIt(machine, context.live);
  const isNamed = loop.attemptOf === null && (await areSeveralOpen(machine, context.live.project));
  context.tell({ type: "ended", loop, isNamed, canUndo: isInRepository(context.workingDirectory.root) });
  return loop;
}

/** The run of the plan clears up for all its attempts. Those that a worker makes are of a plan elsewhere. */
function hasPlanHere({ live: { loop, project } }: RunContext): boolean {
  return loop.attemptOf !== null && existsSync(loopFolder(project, loop.attemptOf.loop));
}

/** Only what this run itself has seen to be completed. */
async function commitWork({ machine, live, workingDirectory, tell }: RunContext): Promise<void> {
  const why = await commitCompleted(machine, { id: live.id, live, workingDirectory });
  if (why !== null) tell({ type: "uncommitted", loop: live.loop, why });
}

/** So that `loop status` can report it when nothing else is left. */
function noteDeletion({ machine, live, run }: RunContext, error: unknown): void {
  if (!(error instanceof JournalError) || error.code !== "missing") return;
  buryLoop(machine.home, { root: live.project.root, loop: live.id, session: run, at: machine.now() });
}

async function iterate(context: RunContext, first: Start, update: () => Promise<void>): Promise<void> {
  let start = first;
  for (;;) {
    await update();
    const limited = context.waitsUntil();
    if (limited !== null && !(await waitUntil(context, limited, SHARED_LIMIT))) return;
    const loop = await mayGoOn(context);
    if (loop === null) return;
    const launched = await launchTurn(context, loop, start);
    if (launched === null) return;
    context.tell({ type: "launched", loop: launched.loop, turn: launched.turn });
    await update();
    const outcome = await takeTurn(context, launched.loop, launched.folder, launched.request);
    context.tell({ type: "returned", turn: launched.turn });
    const settled = await settleTurn(context, launched.turn, outcome);
    if (settled === null) return;
    await update();
    const next = await after(context, settled, launched.checkpoint);
    if (next === null) return;
    // A failed turn may not have received its prompt.
    start =
      settled.type === "judged"
        ? { ...next, told: launched.told }
        : { ...next, told: start.told, undone: start.undone, violated: start.violated };
  }
}

const SHARED_LIMIT = "another attempt met the usage limit";

const FROM_HERE: Start = {
  reason: null,
  tree: null,
  anew: false,
  interrupted: false,
  undone: null,
  violated: null,
  told: NOTHING_TOLD,
  advice: null,
};

/** Checks whether another turn may start: returns the loop, or records why not. */
async function mayGoOn(context: RunContext): Promise<Loop | null> {
  const loop = await context.live.record((now) => {
    if (!isActiveFor(now, context.run)) return [];
    if (context.interrupts.asked()) return [INTERRUPTED];
    const trip = launchLimit(now, context.machine.now(), context.turnUsd);
    return trip === null ? [] : [{ type: "loop.paused", ...trip, by: "machine" }];
  });
  return isActiveFor(loop, context.run) ? loop : null;
}

/** How the next turn starts; null when there is none. */
async function after(
  context: RunContext,
  settled: Settled,
  checkpoint: string | null,
): Promise<Start | null> {
  if (settled.type === "stopped") return null;
  if (settled.type === "judged") return afterVerdict(context, settled, checkpoint);
  const { remedy, trouble } = settled;
  switch (remedy.type) {
    case "pause":
      return null;
    case "wait":
      if (!(await waitUntil(context, remedy.until, trouble.detail))) return null;
      return { ...FROM_HERE, interrupted: settled.worked };
    case "retry":
      if (!(await waitUntil(context, context.machine.now() + remedy.delayMs, null))) return null;
      return { ...FROM_HERE, anew: remedy.anew, interrupted: !remedy.anew };
  }
}

async function afterVerdict(
  context: RunContext,
  { verdict, tree }: Settled & { readonly type: "judged" },
  checkpoint: string | null,
): Promise<Start | null> {
  if (verdict.type === "hold") {
    if (verdict.because === "unfinished") {
      const hasFailed = verdict.reason.failing.length > 0 || verdict.reason.contradictions.length > 0;
      const advice = hasFailed ? await context.advise(context.live.loop) : null;
      return { ...FROM_HERE, reason: verdict.reason, tree, advice };
    }
    throw new Error("checks of a run are waited for");
  }
  switch (verdict.because) {
    case "frame-popped":
      return FROM_HERE;
    case "handed-back":
      return (await personGoesOn(context, checkpoint)) ? FROM_HERE : null;
    case "aborted":
      throw new UserError(
        `The loop ${context.live.id} is aborted: ${verdict.why}. Nothing was changed; its folder is kept for inspection.`,
      );
    case "unusable":
      throw new UserError(`The loop ${context.live.id} cannot be used: ${verdict.why}.`);
    case "untrusted":
    case "no-loop":
      // Ending the loop already removed the session's entry.
      if (isEnded(await context.live.refresh())) return null;
      throw new UserError(
        `The lock of the loop ${context.live.id} was changed or deleted while it ran; review it with: loop trust ${context.live.id}`,
      );
    case "paused":
    case "paused-before":
    case "completed":
    case "ended":
    case "deleted":
    case "disabled":
    case "not-an-end":
    case "other-session":
      return null;
  }
}

/** Asks the person at the terminal, and pauses if they say no. */
async function personGoesOn(context: RunContext, checkpoint: string | null): Promise<boolean> {
  const { live, workingDirectory, machine, person, interrupts } = context;
  // Doesn't ask a person who already interrupted; the answer is recorded before the next turn.
  if (person === null || interrupts.asked()) return true;
  const loop = await live.refresh();
  const tree = { root: workingDirectory.root, stateHome: machine.home };
  const changes = checkpoint === null ? null : await changesSince({ ...tree, commit: checkpoint });
  const own = watchForLoss(context);
  const goesOn = await person.goesOn(loop, changes, own.lost).finally(() => own.stop());
  if (goesOn === "no") {
    await recordOurs(context, [{ type: "loop.paused", reason: "user", detail: null, by: "person" }]);
    return false;
  }
  if (goesOn === "always")
    await recordOurs(context, [{ type: "shape.changed", shape: "tool", by: "person" }]);
  return true;
}

/** Waits visibly; false when the wait was given up. */
async function waitUntil(context: RunContext, until: number, detail: string | null): Promise<boolean> {
  const { machine, interrupts } = context;
  for (;;) {
    const loop = await context.live.refresh();
    if (!isActiveFor(loop, context.run) || interrupts.asked()) break;
    const left = until - machine.now();
    if (left <= 0) return true;
    if (detail !== null) context.tell({ type: "waiting", loop, until, detail });
    await sleep(Math.min(left, 1_000), undefined, { signal: interrupts.now }).catch(() => undefined);
  }
  return (await mayGoOn(context)) !== null;
}
