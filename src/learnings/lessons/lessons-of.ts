import type { LoopEvent } from "../../core/event.ts";
import type { Loop } from "../../core/loop.ts";
import { topFrame } from "../../core/loop.ts";
import { wholeWords } from "../../text/plain-text.ts";
import type { Lesson } from "../learning.ts";
import { ofAgents } from "./of-agents.ts";
import { ofChecks } from "./of-checks.ts";
import { ofIterations } from "./of-iterations.ts";
import { ofPauses } from "./of-pauses.ts";
import { ofTasks } from "./of-tasks.ts";

const MOST = 8;
const CONTEXT_LIMIT = 200;

/** A lesson without its context, which is the same for all of a loop. */
export type Fact = Omit<Lesson, "context">;

/**
 * What a loop that completed or paused teaches, from its journal alone. A fact reads the same whenever it is asked for, so a loop
 * that is asked again, after a kill or a later pause, says nothing twice.
 */
export function lessonsOf(loop: Loop, events: readonly LoopEvent[]): readonly Lesson[] {
  if (loop.phase !== "completed" && loop.phase !== "paused") return [];
  const facts = [
    ...ofPauses(events),
    ...ofChecks(events),
    ...(loop.workflow === null ? ofIterations(loop, events) : ofTasks(loop, loop.workflow)),
    ...ofAgents(loop, events),
  ];
  const context = wholeWords(topFrame(loop).spec, CONTEXT_LIMIT);
  const unique = new Map(facts.map((fact) => [`${fact.kind} ${fact.text}`, fact]));
  return [...unique.values()].slice(0, MOST).map((fact) => ({ ...fact, context }));
}
