import { cursorAtEnd } from "../../agents/cost/read-transcript.ts";
import { encodeCursor } from "../../agents/cost/spend-cursor.ts";
import { CLOSED_BREAKERS, topFrame, type Binding, type Limits, type Loop } from "../../core/loop/loop.ts";
import { DEFAULT_ITERATIONS, DEFAULT_LIMITS, ITERATIONS_BOUND } from "../../core/loop/limits.ts";
import type { LoopEvent, OpenedGoal } from "../../core/events/event.ts";
import { evolveAll } from "../../core/events/evolve.ts";
import type { LoopId } from "../../core/loop/id.ts";
import { eventsOfClaims, eventsOfTaskList } from "../../core/stop/claims.ts";
import { SAID_NOTHING } from "../../core/stop/facts.ts";
import { claimsOf } from "../../storage/home/projections.ts";
import type { SpecScore } from "../../core/spec/score.ts";
import { readIdleLoopFile, type Fields, type ForeignFrame, type ForeignLoop } from "./foreign-formats.ts";
import type { Transcript } from "../../agents/cost/transcript.ts";
import type { Store, Trace } from "./stores.ts";
import { readJwzMessage } from "./jwz.ts";

/**
 * The other hooks had no such breaker; their own counters end them. It only has to act before a host overrides the holds:
 * Claude Code does so after eight in a row.
 */
const ADOPTED_LIMITS: Limits = { ...DEFAULT_LIMITS, noProgress: 7 };

export type ScoredLoop = ForeignLoop & { readonly score: SpecScore };

/** How a loop of a store begins here, with its frames and tasks. */
export function openingOf(
  id: LoopId,
  binding: Binding,
  transcript: Transcript | null,
  store: Store,
  foreign: ScoredLoop,
  at: number,
): readonly LoopEvent[] {
  const [outer, ...inner] = foreign.frames;
  const opened: LoopEvent = {
    type: "loop.opened",
    id,
    by: "agent",
    origin: foreign.origin,
    folder: "",
    goal: { ...goalOf(foreign, outer), criteria: namesOnly(foreign.criteria), steps: foreign.steps },
    score: foreign.score,
    shape: "tool",
    limits: ADOPTED_LIMITS,
    mustNots: [],
    protects: [],
    protectedDigest: null,
    redFirst: false,
    proof: "standard",
    proofBudgetMs: null,
    mayChange: [],
    start: { tree: null, head: null },
    binding,
    attemptOf: null,
  };
  const events: LoopEvent[] = [
    opened,
    ...counterOf(outer),
    ...inner.flatMap((frame) => eventsOfFrame(foreign, frame)),
  ];
  events.push(...eventsOfBreaker(evolveAll(null, events, at), store, foreign));
  // The loop isn't charged for what the session spent before.
  if (transcript !== null)
    events.push({ type: "transcript.read", cursor: encodeCursor(cursorAtEnd(transcript)) });
  return [...events, ...eventsOfTaskList(evolveAll(null, events, at), store.tasks)];
}

/** An inner frame, with its counter. */
function eventsOfFrame(foreign: ForeignLoop, frame: ForeignFrame): readonly LoopEvent[] {
  return [{ type: "frame.pushed", goal: goalOf(foreign, frame), by: "agent" }, ...counterOf(frame)];
}

/** What stayed unmet there stays unmet here. What the store says is met comes first: news of it would close the breaker. */
function eventsOfBreaker(loop: Loop, { text }: Store, { stuck }: ForeignLoop): readonly LoopEvent[] {
  if (stuck === undefined || stuck.lastUnmet === null) return [];
  const claims = claimsOf(JSON.parse(text.replace(/^\uFEFF/, "")) as Fields, loop);
  return [
    ...eventsOfClaims(loop, { ...SAID_NOTHING, claims }),
    { type: "breakers.counted", breakers: { ...CLOSED_BREAKERS, stuck } },
  ];
}

function counterOf({ iteration }: ForeignFrame): readonly LoopEvent[] {
  return iteration === 0 ? [] : [{ type: "iteration.adopted", iteration }];
}

function goalOf({ origin, spec, exitRule }: ForeignLoop, { mode, iterationLimit }: ForeignFrame): OpenedGoal {
  return {
    spec: spec === "" && origin !== "state-file" ? "Complete the task" : spec,
    exitRule,
    mode,
    iterationLimit: iterationLimit ?? (origin === "task-list" ? ITERATIONS_BOUND : DEFAULT_ITERATIONS),
    criteria: [],
    steps: [],
  };
}

function namesOnly(names: readonly string[]): OpenedGoal["criteria"] {
  return names.map((name) => ({ name, check: null }));
}

/** The frames as they last were in the store. */
export function knownFrames(origin: "idle-loop" | "jwz", trace: Trace | null): readonly ForeignFrame[] {
  if (trace === null) return [];
  const state = origin === "jwz" ? readJwzMessage(trace.running).state : readIdleLoopFile(trace.running);
  return state.type === "running" ? state.loop.frames : [];
}

/** Whether it is still the same loop, not another one that replaced it in the store. */
export function isSameOuter(frames: ForeignLoop["frames"], known: readonly ForeignFrame[]): boolean {
  const [outer] = known;
  return outer === undefined || isSame(frames[0], outer);
}

/** Applies to the loop what was pushed, popped and counted in the store. */
export function eventsOfStack(
  loop: Loop,
  foreign: ForeignLoop,
  known: readonly ForeignFrame[],
): readonly LoopEvent[] {
  const { frames } = foreign;
  // The active frame was opened here; the store doesn't know it.
  if (loop.frames.length > Math.max(known.length, 1)) return [];
  let kept = 1;
  while (kept < Math.min(frames.length, loop.frames.length) && isKept(frames, known, kept)) kept += 1;
  const events: LoopEvent[] = [];
  let current = loop;
  const record = (...more: readonly LoopEvent[]): void => {
    events.push(...more);
    current = evolveAll(current, more, loop.updatedAt);
  };
  while (current.frames.length > kept) record({ type: "frame.popped", outcome: "satisfied" });
  const counted = frames[kept - 1];
  if (counted !== undefined) {
    const iteration = believed(current, counted);
    if (iteration > topFrame(current).iteration) record({ type: "iteration.adopted", iteration });
  }
  for (const frame of frames.slice(kept)) record(...eventsOfFrame(foreign, frame));
  return events;
}

function isKept(frames: readonly ForeignFrame[], known: readonly ForeignFrame[], index: number): boolean {
  const [now, before] = [frames[index], known[index]];
  return now === undefined || before === undefined || isSame(now, before);
}

function isSame(a: ForeignFrame, b: ForeignFrame): boolean {
  return a.id !== null && b.id !== null ? a.id === b.id : a.mode === b.mode;
}

/** Only in the direction of letting go: a higher counter, or a lower limit. */
function believed(loop: Loop, { iteration, iterationLimit }: ForeignFrame): number {
  const frame = topFrame(loop);
  const isUsedUp =
    iterationLimit !== null &&
    frame.iterationLimit !== null &&
    iterationLimit < frame.iterationLimit &&
    Math.max(iteration, frame.iteration) >= iterationLimit;
  return isUsedUp ? Math.max(frame.iterationLimit, frame.iteration) : iteration;
}
