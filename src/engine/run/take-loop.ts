import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { LoopEvent } from "../../core/events/event.ts";
import { parseSessionId, type SessionId } from "../../core/loop/id.ts";
import { isActiveFor, isBoundTo, type Loop } from "../../core/loop/loop.ts";
import { eventsOfSpending } from "../../core/stop/limits.ts";
import { UserError } from "../../core/user-error.ts";
import type { Project } from "../../storage/home/project.ts";
import { approvalFolder, type LocalLoop } from "../../storage/home/approval-record.ts";
import { forgetSession, rememberSession } from "../../storage/home/session-files.ts";
import { JournalError } from "../../storage/journal/journal-error.ts";
import type { LiveLoop } from "../../storage/loops/live-loop.ts";
import { livingDriver, type KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { recordIf } from "../../storage/loops/journal-entries.ts";
import { namesIn } from "../../system/files/folders.ts";
import { sweepDrafts } from "../../system/files/write-atomically.ts";
import { ownMark } from "../../system/process/process-facts.ts";
import { expectActive } from "../lifecycle/lifecycle.ts";
import { expectNobodyUndoes } from "../lifecycle/undo.ts";
import { spentSince, transcriptOf } from "../stop/spending.ts";
import { rememberAgent, type AgentChoice } from "./agent-choice.ts";
import { lastSignOf, turnFolder } from "./turn-folder.ts";

/** A process that drives a loop: one agent on a plain loop, or the work on a plan. */
export interface OwnRun {
  readonly machine: Machine;
  /** Stands in the journal where a session would. */
  readonly run: SessionId;
  readonly live: LiveLoop;
}

/**
 * Takes a loop to drive it. One driver a loop at a time: of two that begin at once, the journal accepts only one after the same
 * record. Ends the run of an earlier one that was killed; whoever drives settles what that one had begun.
 */
export async function takeLoop(
  machine: Machine,
  { id, live }: Pick<KnownLoop, "id" | "live">,
  choice: AgentChoice,
): Promise<OwnRun> {
  const { project } = live;
  const { binding: before } = live.loop;
  const run = parseSessionId(`run-${randomUUID()}`) as SessionId;
  // Before the journal names it, so our own agent is always recognized.
  rememberSession(machine.home, run, { root: project.root, loop: id, process: ownMark() });
  try {
    await live.record((now) => {
      expectActive(now);
      expectUndriven(now);
      expectNobodyUndoes(machine, project, now.id);
      return [
        ...endOfAbandoned(project, now),
        ...spentBySession(machine, now),
        { type: "run.began", run, driver: choice.driver, model: choice.model, process: ownMark() },
      ];
    });
  } catch (error) {
    forgetSession(machine.home, run, id);
    throw error;
  }
  // Only now: a run that already drives the loop keeps its own agent.
  rememberAgent(machine.home, project.root, id, choice);
  sweepRecords({ home: machine.home, root: project.root, loop: id });
  if (before !== null) forgetSession(machine.home, before.session, id);
  return { machine, run, live };
}

/** What a killed writer left half-written beside its openings, answers and jobs. Deeper down are copies of the project's own files. */
export function sweepRecords(local: LocalLoop): void {
  const folder = approvalFolder(local);
  for (const each of [folder, ...namesIn(folder).map((name) => join(folder, name))]) sweepDrafts(each);
}

function expectUndriven(loop: Loop): void {
  const driver = livingDriver(loop);
  if (driver === null) return;
  throw new UserError(
    `Process ${driver.pid} is already driving the loop ${loop.id}; watch it with: loop status --watch --loop ${loop.id}`,
  );
}

/** The end of a run that could not record it because it was killed or the machine went down. Nothing while a run lives. */
export function endOfAbandoned(project: Project, loop: Loop): readonly LoopEvent[] {
  if (loop.driven === null || loop.driven.process === null || livingDriver(loop) !== null) return [];
  return [{ type: "run.ended", run: loop.driven.run, lastSeenAt: lastSeenAt(project, loop) }];
}

/** Between two records, a turn's output shows that it is alive. */
function lastSeenAt(project: Project, { id, activeAt, driven }: Loop): number {
  const sign = driven?.turn == null ? null : lastSignOf(turnFolder(project, id, driven.turn.id));
  return Math.max(activeAt, sign ?? activeAt);
}

/** Charges what the previous session spent since its last stop; nobody would charge it later. */
function spentBySession(machine: Machine, loop: Loop): readonly LoopEvent[] {
  const transcript = loop.binding === null ? null : transcriptOf(machine, loop.binding.session);
  return transcript === null ? [] : eventsOfSpending(spentSince(machine, loop, transcript));
}

/** However the work ended: records that nobody drives the loop any more, as far as that can be recorded. */
export async function leaveLoop({ machine, run, live }: OwnRun): Promise<void> {
  forgetSession(machine.home, run, live.id);
  try {
    await live.record((loop) => (isDrivenBy(loop, run) ? [{ type: "run.ended", run }] : []));
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
  }
}

export function isDrivenBy({ driven }: Loop, run: SessionId): boolean {
  return driven?.run === run && driven.process !== null;
}

/** Records what happened, if the loop is still this run's and `isOpen` to it. null: it isn't; what others made of it stands. */
export async function recordOurs(
  { live, run }: Pick<OwnRun, "live" | "run">,
  events: readonly LoopEvent[],
  isOpen: (loop: Loop) => boolean = () => true,
): Promise<Loop | null> {
  return recordIf(
    live.record,
    (loop) => isActiveFor(loop, run) && isOpen(loop),
    () => events,
  );
}

export interface LossWatch {
  /** Somebody paused, ended, deleted or took the loop; the reason says which. */
  readonly lost: AbortSignal;
  readonly stop: () => void;
}

/** Watches whether the loop still belongs to this run. Calls `onChange` as long as it does. */
export function watchForLoss(
  { live, run }: Pick<OwnRun, "live" | "run">,
  onChange: (loop: Loop) => void = () => {},
): LossWatch {
  const lost = new AbortController();
  const stop = live.onChange({
    changed: (loop) => {
      if (loop.phase !== "active") lost.abort(`the loop is ${loop.phase}`);
      else if (isBoundTo(loop, run)) onChange(loop);
      else lost.abort("another session has taken the loop");
    },
    failed: (error) => {
      if (error instanceof JournalError && error.code === "missing") lost.abort("the loop was deleted");
    },
  });
  return { lost: lost.signal, stop };
}
