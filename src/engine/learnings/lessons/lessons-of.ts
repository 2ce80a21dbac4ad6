import type { LoopEvent } from "../../../core/event.ts";
import type { Loop } from "../../../core/loop.ts";
import { topFrame } from "../../../core/loop.ts";
import { wholeWords } from "../../../system/text/plain-text.ts";
import type { Lesson } from "../learning.ts";
import { ofAgents } from "./of-agents.ts";
import { ofChecks } from "./of-checks.ts";
import { ofIterations } from "./of-iterations.ts";
import { ofPauses } from "./of-pauses.ts";
import { ofTasks } from "../task-lessons.ts";

const MOST = 8;
const CONTEXT_LIMIT = 200;
/** Where an attempt worked; it is gone by now. */
const WORKTREE = /[^\s'"(]*\/worktrees\/\w+\/[^/\s]+\/[^/\s]+-\d+\//g;

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

/** What worked after a false claim within one attempt; the rest of it is for its workflow to tell. */
export function discoveriesOf(
  loop: Loop,
  { task }: NonNullable<Loop["attemptOf"]>,
  events: readonly LoopEvent[],
): readonly Lesson[] {
  // The spec begins with the task's id and subject.
  const [title = ""] = topFrame(loop).spec.split("\n");
  const subject = title.replace(`${task}: `, "");
  const facts = ofIterations(loop, events, (name) => (name === task ? subject : name));
  return facts
    .filter(({ kind }) => kind === "discovery")
    .map(({ text, ...fact }) => ({
      ...fact,
      text: text.replace(WORKTREE, ""),
      context: wholeWords(subject, CONTEXT_LIMIT),
    }));
}
