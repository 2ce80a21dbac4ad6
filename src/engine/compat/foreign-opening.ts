import { cursorAtEnd } from "../../agents/cost/read-transcript.ts";
import { encodeCursor } from "../../agents/cost/spend-cursor.ts";
import { DEFAULT_ITERATIONS, DEFAULT_LIMITS, ITERATIONS_BOUND } from "../../core/loop/limits.ts";
import type { LoopEvent, OpenedGoal } from "../../core/events/event.ts";
import { evolveAll } from "../../core/events/evolve.ts";
import type { LoopId } from "../../core/loop/id.ts";
import type { Binding, Limits } from "../../core/loop/loop.ts";
import { eventsOfTaskList } from "../../core/stop/claims.ts";
import type { SpecScore } from "../../core/spec/score.ts";
import type { ForeignFrame, ForeignLoop } from "./foreign-loop.ts";
import type { Transcript } from "../../agents/cost/transcript.ts";
import type { Store } from "./find-stores.ts";

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
  // The loop isn't charged for what the session spent before.
  if (transcript !== null)
    events.push({ type: "transcript.read", cursor: encodeCursor(cursorAtEnd(transcript)) });
  return [...events, ...eventsOfTaskList(evolveAll(null, events, at), store.tasks)];
}

/** An inner frame, with its counter. */
export function eventsOfFrame(foreign: ForeignLoop, frame: ForeignFrame): readonly LoopEvent[] {
  return [{ type: "frame.pushed", goal: goalOf(foreign, frame), by: "agent" }, ...counterOf(frame)];
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
