import type { LoopEvent } from "../../core/events/event.ts";
import { evolveAll } from "../../core/events/evolve.ts";
import { isBoundTo, isDriven, isEnded, topFrame, type Binding, type Loop } from "../../core/loop/loop.ts";
import { usedUp } from "../../core/loop/limits.ts";
import { forgetSession, noteCancelled, rememberSession } from "../../storage/home/session-files.ts";
import { markTold } from "../../storage/home/approval-marks.ts";
import { howToEnd } from "../../views/prompts/hold.ts";
import { driveCommand, resumeCommand } from "../../views/next-action.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import { expectNoNewerLoop, localLoop, openLoopOfSession } from "../../storage/loops/known-loop.ts";
import { writeBackForeign } from "../compat/write-back.ts";
import { expectPerson, typedWords } from "./expect-person.ts";
import { askingTask, passOn, wordsTold } from "./pass-on-words.ts";
import { unfinishedLeftOut } from "../../core/plan/step.ts";
import { circlingTasks } from "../../core/plan/workflow.ts";
import { unheard } from "../../core/loop/words.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { startOfSpending } from "../stop/spending.ts";
import { expectNobodyUndoes } from "./undo.ts";
import { UserError } from "../../core/user-error.ts";
import { blockedDetail } from "../../core/stop/status-block.ts";
import { callerNow } from "../../storage/loops/caller-now.ts";
import { criterionName } from "./amend.ts";
import type { LiveLoop } from "../../storage/loops/live-loop.ts";

export async function pauseLoop(machine: Machine, chosen: KnownLoop): Promise<Loop> {
  await expectPerson(machine, "pause", chosen);
  const paused = await chosen.live.record((loop) => {
    if (loop.phase === "paused") return [];
    expectActive(loop);
    return [{ type: "loop.paused", reason: "user", detail: null, by: "person" }];
  });
  await learnFromIt(machine, chosen.live);
  return paused;
}

/** `isPermitted`: a person has asked for it, as a part of something else. */
export async function cancelLoop(
  machine: Machine,
  chosen: KnownLoop,
  { isPermitted }: { readonly isPermitted: boolean } = { isPermitted: false },
): Promise<Loop> {
  if (!isPermitted) await expectPerson(machine, "cancel", chosen);
  const loop = await chosen.live.record((current) => {
    expectOpen(current);
    return [{ type: "loop.cancelled", by: "person" }];
  });
  await writeBackForeign(machine, chosen.live.project.root, loop);
  if (loop.binding !== null) {
    const release = isToldByHook(machine, loop) ? noteCancelled : forgetSession;
    release(machine.home, loop.binding.session, loop.id);
  }
  return loop;
}

/** Where the user isn't in the loop's session, its hook says there that the loop is cancelled. */
function isToldByHook(machine: Machine, loop: Loop): boolean {
  const caller = callerNow(machine);
  return !isDriven(loop) && (caller.kind === "person" || !isBoundTo(loop, caller.session));
}

interface More {
  readonly usd: number | null;
  readonly iterations: number | null;
  readonly tokens: number | null;
  readonly minutes: number | null;
  readonly binding: Binding | null;
  /** A person's words for the agent. */
  readonly say: string | null;
  /** What isn't done in a plan is left out, and the rest delivered. */
  readonly leaveOut: boolean;
}

/** Resumes with what it has left. */
export const NO_MORE: More = {
  usd: null,
  iterations: null,
  tokens: null,
  minutes: null,
  binding: null,
  say: null,
  leaveOut: false,
};

/** Resumes a paused loop and binds it to the session in which the user asks for it. */
export async function continueLoop(machine: Machine, chosen: KnownLoop, more: More): Promise<Loop> {
  const typed = await expectPerson(machine, "continue", chosen, [
    ...flagsOf(more),
    ...(more.leaveOut ? ["--deliver=done"] : []),
    ...(more.say === null ? [] : [`--say=${more.say}`]),
  ]);
  const said = typed === null ? more.say : typedWords(typed);
  if (more.binding !== null) await expectFree(machine, more.binding, chosen);
  const loop = await chosen.live.record((current) => {
    expectNobodyUndoes(machine, chosen.live.project, current.id);
    const events = [
      ...continuing(current, more, machine.now()),
      ...eventsOfWords(current, said, typed !== null),
    ];
    const session = more.binding?.session ?? current.binding?.session;
    // Spending during the pause, or before it came to this session, isn't charged to the loop.
    const isFresh = current.phase === "paused" || events.some((event) => event.type === "session.bound");
    return isFresh && session !== undefined ? [...events, ...startOfSpending(machine, session)] : events;
  });
  if (said !== null && loop.workflow !== null)
    await passOn(machine, chosen, loop, askingTask(loop.workflow), said);
  markTold(localLoop(machine, chosen));
  // A run announces itself when it begins.
  if (loop.binding !== null && !isDriven(loop)) {
    rememberSession(machine.home, loop.binding.session, {
      root: chosen.live.project.root,
      loop: loop.id,
    });
  }
  return loop;
}

/** Words typed in a session are heard there, unless others still wait for a hold. */
function eventsOfWords(loop: Loop, said: string | null, isTyped: boolean): readonly LoopEvent[] {
  if (said === null) return [];
  const told = wordsTold(loop, loop.workflow === null ? null : askingTask(loop.workflow), said);
  const isHeard = isTyped && unheard(loop.words).length === 0;
  return isHeard ? [told, { type: "words.heard", count: loop.words.length + 1, turn: null }] : [told];
}

function flagsOf(more: More): readonly string[] {
  return Object.entries({
    budget: more.usd,
    iterations: more.iterations,
    "max-tokens": more.tokens,
    "max-minutes": more.minutes,
  }).flatMap(([name, value]) => (value === null ? [] : [`--${name}=${value}`]));
}

/** A session has one loop at a time; a second one is refused. */
async function expectFree(machine: Machine, { session }: Binding, chosen: KnownLoop): Promise<void> {
  await expectNoNewerLoop(machine, session);
  const { id, live, workingDirectory } = chosen;
  if (live.loop.commit?.branch != null)
    throw new UserError(
      `The loop ${id} works in a worktree of its own, ${workingDirectory.root}; drive it from a terminal: ${driveCommand(live.loop)}`,
    );
  const other = await openLoopOfSession(machine, session);
  if (other === null || other.id === chosen.id) return;
  throw new UserError(`That session already has the loop ${other.id}; cancel or finish it first.`);
}

/** Why a loop can't be resumed as it is, with what would resume it; null: it can. */
export function whyNotResumable(loop: Loop, now: number): string | null {
  return isOverLimit(loop) && usedUp(loop, now).length > 0 ? neededMore(loop) : null;
}

function isOverLimit(loop: Loop): loop is Loop & { readonly phase: "paused" } {
  return loop.phase === "paused" && (loop.reason === "budget" || loop.reason === "iterations");
}

function neededMore(loop: Loop & { readonly phase: "paused" }): string {
  const [circling] = loop.workflow === null ? [] : circlingTasks(loop.workflow);
  if (circling !== undefined)
    return `${circling} failed in the same way each time; say what to do with: loop task retry ${circling} --say "WHAT TO DO"`;
  return `The loop has used up its limits; add to it with: ${resumeCommand(loop)}`;
}

function continuing(loop: Loop, more: More, now: number): readonly LoopEvent[] {
  expectOpen(loop);
  const added: LoopEvent = {
    type: "loop.continued",
    addedUsd: more.usd,
    addedIterations: more.iterations,
    addedTokens: more.tokens,
    addedMinutes: more.minutes,
    by: "person",
  };
  const leftOut = more.leaveOut ? unfinishedLeftOut(loop.workflow) : [];
  if (leftOut === null)
    throw new UserError("No task of a plan is done here, so there is nothing to deliver.");
  if (isOverLimit(loop) && usedUp(evolveAll(loop, [...leftOut, added], now), now).length > 0) {
    throw new UserError(
      flagsOf(more).length === 0
        ? neededMore(loop)
        : `That is not enough to continue; add to it with: ${resumeCommand(loop)}`,
    );
  }
  const isContinued = loop.phase === "paused" || flagsOf(more).length > 0;
  const events: LoopEvent[] = [...leftOut, ...(isContinued ? [added] : [])];
  if (more.binding !== null && more.binding.session !== loop.binding?.session) {
    events.push({ type: "session.bound", binding: more.binding });
  }
  return events;
}

/** The agent's claim that it is finished. The checks decide at its next stop. */
export async function signalDone(chosen: KnownLoop): Promise<Loop> {
  return chosen.live.record((loop) => {
    expectActive(loop);
    const { exitRule } = topFrame(loop);
    if (exitRule === "marker" || exitRule === "signal") {
      throw new UserError(`loop done does not end this loop: ${howToEnd(topFrame(loop))}`);
    }
    return [{ type: "exit.signalled", source: "command" }];
  });
}

export function expectActive(loop: Loop): void {
  if (loop.phase === "active") return;
  const how =
    loop.phase === "paused"
      ? `paused (${loop.reason}); resume it with: ${resumeCommand(loop)}`
      : `${loop.phase}.`;
  throw new UserError(`The loop ${loop.id} is ${how}`);
}

export function expectOpen(loop: Loop): void {
  if (isEnded(loop))
    throw new UserError(`The loop ${loop.id} is ${loop.phase}; start a new one with: loop start`);
}

interface Obstacle {
  /** The criterion whose check contradicts the spec or cannot pass; null if the reason is something else. */
  readonly check: string | null;
  readonly reason: string;
}

/** The honest way out: an agent that says it cannot be done is let go, and a person decides. */
export async function declareBlocked(
  machine: Machine,
  chosen: KnownLoop,
  { check, reason }: Obstacle,
): Promise<Loop> {
  if (reason.trim() === "")
    throw new UserError("Say what is needed, for example: loop blocked 'needs the staging password'");
  const paused = await chosen.live.record((loop) => {
    expectActive(loop);
    const detail = blockedDetail(check === null ? null : criterionName(loop, check), reason);
    return [{ type: "loop.paused", reason: "blocked", detail, by: callerNow(machine).kind }];
  });
  await learnFromIt(machine, chosen.live);
  return paused;
}

/** Keeps what a loop taught that has just completed or paused. Loaded only then: few stops are an ending. */
export async function learnFromIt(machine: Machine, live: LiveLoop): Promise<void> {
  const { learnFrom } = await import("../learnings/lessons.ts");
  await learnFrom(machine, live);
}
