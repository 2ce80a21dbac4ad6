import { setTimeout as sleep } from "node:timers/promises";
import { areSeveralOpen } from "../loops/choose-loop.ts";
import type { LockedLoop } from "../loops/locked-loop.ts";
import type { Machine } from "../loops/machine.ts";
import { pruneEndedLoops } from "../app/prune-ended-loops.ts";
import { UserError } from "../loops/user-error.ts";
import type { Loop } from "../core/loop.ts";
import { isActiveFor, isEnded } from "../core/loop.ts";
import { launchLimit } from "../core/stop/limits.ts";
import { changesSince } from "../checkpoints/take.ts";
import { JournalError } from "../journal/journal-error.ts";
import { buryLoop } from "../store/tombstone.ts";
import { keepArtifacts } from "./artifacts.ts";
import { INTERRUPTED } from "./interrupts.ts";
import type { Start } from "./launch-turn.ts";
import { launchTurn, NOTHING_TOLD } from "./launch-turn.ts";
import { lookBeforeFirstTurn } from "./before-first-turn.ts";
import { watchForLoss } from "./loss-watch.ts";
import { recoverTurn } from "./recover-turn.ts";
import type { RunContext } from "./run-context.ts";
import type { Settled } from "./settle-turn.ts";
import { sinceLastTurn } from "./since-last-turn.ts";
import { settleTurn } from "./settle-turn.ts";
import type { RunRequest } from "./take-over.ts";
import { recordRunEnd, release, takeOver } from "./take-over.ts";
import { takeTurn } from "./take-turn.ts";
import { witnessCompletion } from "./witness-completion.ts";
import { pauseOurs } from "./until-stopped.ts";

/** Drives a loop from outside its agent until it ends or pauses. Whatever kills this process leaves a loop that can be gone on with. */
export async function driveLoop(machine: Machine, chosen: LockedLoop, request: RunRequest): Promise<Loop> {
  const witness = witnessCompletion(request.tell);
  const context = await takeOver(machine, chosen, { ...request, tell: witness.tell });
  const artifacts = await keepArtifacts(context);
  try {
    await pruneEndedLoops(context.machine, context.live.project);
    do {
      await recoverTurn(context);
      const tree = await lookBeforeFirstTurn(context);
      await iterate(context, { ...FROM_HERE, ...(await sinceLastTurn(context)), tree }, artifacts.update);
    } while (!(await recordRunEnd(context)));
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
      `The journal says that the loop ${loop.id} is completed, but this run has not decided that: somebody else wrote it. See it with: loop log --loop ${loop.id}`,
    );
  const isNamed = await areSeveralOpen(machine, context.live.project);
  context.tell({ type: "ended", loop, isNamed });
  return loop;
}

/** So that `loop status` can tell of it when nothing else is left. */
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
    // A turn that came to nothing may not have heard what it was told.
    start =
      settled.type === "judged"
        ? { ...next, told: launched.told }
        : { ...next, told: start.told, undone: start.undone };
  }
}

const SHARED_LIMIT = "another attempt met the usage limit";

const FROM_HERE: Start = {
  reason: null,
  tree: null,
  anew: false,
  interrupted: false,
  undone: null,
  told: NOTHING_TOLD,
};

/** The loop if another turn may begin; what stands against it is recorded. */
async function mayGoOn(context: RunContext): Promise<Loop | null> {
  const loop = await context.live.record((now) => {
    if (!isActiveFor(now, context.run)) return [];
    if (context.interrupts.asked()) return [INTERRUPTED];
    const trip = launchLimit(now, context.machine.now());
    return trip === null ? [] : [{ type: "loop.paused", ...trip, by: "machine" }];
  });
  return isActiveFor(loop, context.run) ? loop : null;
}

/** How the next turn begins; null when there is none. */
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
    if (verdict.because === "unfinished") return { ...FROM_HERE, reason: verdict.reason, tree };
    throw new Error("checks of a run are waited for");
  }
  switch (verdict.because) {
    case "frame-popped":
      return FROM_HERE;
    case "handed-back":
      return (await personGoesOn(context, checkpoint)) ? FROM_HERE : null;
    case "aborted":
      throw new UserError(
        `The loop ${context.live.id} is aborted: ${verdict.why}. Nothing was changed; its folder is left for inspection.`,
      );
    case "newer":
      throw new UserError(`The loop ${context.live.id} is left alone: ${verdict.why}.`);
    case "untrusted":
    case "no-loop":
      // Whoever ended it took the session's entry along.
      if (isEnded(await context.live.refresh())) return null;
      throw new UserError(
        `What this machine knows of the loop ${context.live.id} was changed or deleted while it ran; see it with: loop trust ${context.live.id}`,
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

/** Asks the person at the terminal, and pauses when they have had enough. */
async function personGoesOn(context: RunContext, checkpoint: string | null): Promise<boolean> {
  const { live, workplace, machine, person, interrupts } = context;
  // Who has said it already is not asked; what was said is on record before the next turn.
  if (person === null || interrupts.asked()) return true;
  const loop = await live.refresh();
  const tree = { root: workplace.root, stateHome: machine.home };
  const changes = checkpoint === null ? null : await changesSince({ ...tree, commit: checkpoint });
  const own = watchForLoss(context);
  const goesOn = await person.goesOn(loop, changes, own.lost).finally(() => own.stop());
  if (goesOn) return true;
  await pauseOurs(context, { type: "loop.paused", reason: "user", detail: null, by: "person" });
  return false;
}

/** Waits where everybody can see it; false when it was given up. */
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
