import { isMet, standardOf } from "../../core/loop/criterion.ts";
import { isEnded, topFrame, type Binding, type Loop, type PauseReason } from "../../core/loop/loop.ts";
import { openAndLook } from "../opening/open-loop.ts";
import { JournalError } from "../../storage/journal/journal-error.ts";
import { openKnown, type KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { markBegun, wasBegun } from "../../storage/home/approval-marks.ts";
import type { Project } from "../../storage/home/project.ts";
import type { AttemptEnvelope, AttemptOutcome } from "./executor.ts";
import { keepAttempt, keepUnchanged, refusal, wasApprovedSince } from "./keep-attempt.ts";
import type { Workspace } from "./workspace.ts";

interface Beginning {
  readonly machine: Machine;
  readonly project: Project;
  readonly workspace: Workspace;
  /** Whose stops are judged; null: a run takes the loop over. */
  readonly binding: Binding | null;
  /** Called before the attempt's journal begins. */
  readonly prepare: (id: Loop["id"], root: string) => void;
}

/** Nobody has to work on it, or nobody can. */
interface Over {
  readonly type: "over";
  readonly outcome: AttemptOutcome;
  /** Its loop; null: nobody has opened one. */
  readonly own: KnownLoop | null;
}

interface Open {
  readonly type: "open";
  readonly own: KnownLoop;
  /** With the slot's own variables. */
  readonly machine: Machine;
  /** When nobody works on it any more: its slot is free for others. */
  readonly release: () => void;
}

/** A worktree and a plain loop for an attempt, or what an earlier process has begun of it. */
export async function beginAttempt(
  beginning: Beginning,
  envelope: AttemptEnvelope,
  signal: AbortSignal,
): Promise<Over | Open> {
  const { workspace, project } = beginning;
  const known = await loopOfAttempt(beginning.machine, project, envelope);
  if (known !== null && (await isOver(known)))
    return over(await keepAttempt(workspace, envelope, known.live.loop), known);
  const ready = await workspace.prepare(envelope, { isOpened: known !== null }, signal);
  if (ready.type === "stopped" || ready.type === "paused") return over(ready, known);
  if (ready.type === "failed") return over({ type: "set-back", setback: ready.setback }, known);
  const { release } = ready;
  const env = { ...beginning.machine.env, ...ready.env };
  const machine: Machine = { ...beginning.machine, cwd: project.root, env };
  let begun: Over | KnownLoop;
  try {
    begun = await openIn(machine, beginning, envelope, known);
  } catch (error) {
    release();
    throw error;
  }
  if (!("type" in begun)) return { type: "open", own: begun, machine, release };
  release();
  return begun;
}

async function openIn(
  machine: Machine,
  beginning: Beginning,
  envelope: AttemptEnvelope,
  known: KnownLoop | null,
): Promise<Over | KnownLoop> {
  const own = known ?? (await open(machine, envelope, beginning));
  markBegun({ home: machine.home, root: beginning.project.root, loop: own.id });
  if (envelope.mayBeDone && isNew(own.live.loop) && allMet(own.live.loop))
    return over(await completeUnchanged(own, envelope), own);
  if (envelope.carry === null || !isNew(own.live.loop)) return own;
  // A session's agent may have worked there since, which nobody has recorded.
  const ifUntouched = known !== null && beginning.binding !== null;
  const unlaid = await beginning.workspace.layOver(envelope, { ifUntouched });
  return unlaid === null ? own : over(unlaid, own);
}

function over(outcome: AttemptOutcome, own: KnownLoop | null): Over {
  return { type: "over", outcome, own };
}

function isNew(loop: Loop): boolean {
  return topFrame(loop).launched === 0;
}

/** The loop that an attempt is; null: nobody has opened it yet. Throws `missing` if its records were deleted. */
export async function loopOfAttempt(
  machine: Machine,
  project: Project,
  { loop }: Pick<AttemptEnvelope, "loop">,
): Promise<KnownLoop | null> {
  const ids = await machine.journals(project).list();
  if (ids.includes(loop)) return openKnown(machine, project, loop);
  if (wasBegun({ home: machine.home, root: project.root, loop }))
    throw new JournalError("missing", `the records of the attempt ${loop} were deleted`);
  return null;
}

async function open(
  machine: Machine,
  envelope: AttemptEnvelope,
  { binding, prepare }: Beginning,
): Promise<KnownLoop> {
  const {
    spec,
    criteria,
    mustNots,
    protects,
    mayChange,
    proof,
    proofBudgetMs,
    limits,
    iterationLimit,
    recall,
  } = envelope;
  return openAndLook(machine, {
    kind: "attempt",
    spec,
    criteria,
    mustNots,
    protects,
    mayChange,
    proof,
    proofBudgetMs,
    mode: "loop",
    shape: "tool",
    limits: { limits, iterationLimit, notices: [] },
    binding,
    ...(recall === null ? {} : { recall: { type: "learnings.recalled", ...recall } as const }),
    id: envelope.loop,
    attemptOf: { loop: envelope.workflow, task: envelope.task, number: envelope.number },
    work: { worktree: envelope.worktree, folder: envelope.folder },
    prepare,
  });
}

function allMet(loop: Loop): boolean {
  const { criteria } = topFrame(loop);
  return criteria.length > 0 && criteria.every((each) => isMet(each, standardOf(loop)));
}

/** What an attempt can simply go on after. */
const RESUMABLE: ReadonlySet<PauseReason> = new Set(["user", "rate-limit"]);

/** Nothing is left to do for it: it ended, or paused for something that only a person or another attempt can do better. */
async function isOver({ live }: KnownLoop): Promise<boolean> {
  const { loop } = live;
  if (isEnded(loop)) return true;
  if (loop.phase !== "paused" || RESUMABLE.has(loop.reason)) return false;
  return !(await wasApprovedSince(live)) && (await refusal(live)) === null;
}

/** Its checks pass before any work, and no agent is needed. */
async function completeUnchanged({ live }: KnownLoop, envelope: AttemptEnvelope): Promise<AttemptOutcome> {
  const loop = await live.record(({ phase }) =>
    phase === "active" ? [{ type: "loop.completed", confidence: "verified", why: [], changed: null }] : [],
  );
  return loop.phase === "completed" ? keepUnchanged(envelope) : { type: "stopped" };
}
