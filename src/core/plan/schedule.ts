import { listed } from "../listed.ts";
import { expectedPaths } from "./expected-time.ts";
import { giveUps } from "./give-up.ts";
import { mergeOf } from "./merge-batch.ts";
import { startsOf } from "./starts.ts";
import type { Facts, StartStep, Step } from "./step.ts";
import { isBesideAll } from "./step.ts";
import { besideSteps, judgingStep } from "../stages/judging.ts";
import type { Stages } from "../stages/stages.ts";
import type { Workflow } from "./workflow.ts";
import { hasFailedTask, isDone, isGivenUp, isSpent, lastAttempt, running, waves } from "./workflow.ts";

const MOST_LISTED = 5;
const IN_CIRCLES = ", after failing in the same way each time (--stuck-limit)";

/**
 * All that may be done now, in this order; nothing when something under way has to end first. Each step is written to the
 * journal before it is done, and the next call decides on what the journal then says. Without stages, a plan ends with its tasks.
 */
export function schedule(workflow: Workflow, stages: Stages | null, facts: Facts): readonly Step[] {
  const paths = expectedPaths(workflow);
  const { starts, hindrance } = startsOf(workflow, stages, facts, paths);
  const merge = mergeOf(workflow, facts, paths);
  const givenUp = giveUps(workflow, stages, facts);
  const steps: readonly Step[] = [
    ...givenUp,
    ...wavesDone(workflow),
    ...announced(workflow, starts),
    ...(stages === null ? [] : besideSteps(workflow, stages, facts)).filter(
      (step) => step.type !== "counsel" || !givenUp.some(({ task }) => task === step.task),
    ),
    ...(merge === null ? [] : [merge]),
    ...(hindrance?.type === "wait" ? [hindrance] : []),
  ];
  const isAsking = [...facts.underWay].some((key) => !isBesideAll(key));
  if (steps.length > 0 || isAsking || workflow.merge !== null || running(workflow).length > 0) return steps;
  const end = hindrance ?? ending(workflow, stages, facts);
  return end.type === "finish" && facts.underWay.size > 0 ? [] : [end];
}

/** Waves of which nothing is left to do. */
function wavesDone(workflow: Workflow): readonly Step[] {
  const { plan, wavesBegun, wavesDone: before } = workflow;
  const begun = waves(plan).slice(0, wavesBegun);
  const first = begun.findIndex(
    (tasks) => !tasks.every(({ id }) => isDone(workflow, id) || isGivenUp(workflow, id)),
  );
  const count = first === -1 ? begun.length : first;
  return Array.from({ length: Math.max(0, count - before) }, (_, index) => ({
    type: "wave-done",
    wave: before + index + 1,
  }));
}

/** A wave is announced with the first of its tasks. */
function announced({ plan, wavesBegun }: Workflow, starts: readonly StartStep[]): readonly Step[] {
  const starting = new Set(starts.map(({ task }) => task));
  const fresh = waves(plan)
    .map((tasks, index) => ({ wave: index + 1, begins: tasks.some(({ id }) => starting.has(id)) }))
    .filter(({ wave, begins }) => begins && wave > wavesBegun);
  return [...fresh.map(({ wave }): Step => ({ type: "announce", wave })), ...starts];
}

/** Nothing is under way, and nothing can start. */
function ending(workflow: Workflow, stages: Stages | null, facts: Facts): Step {
  const { plan, givenUp } = workflow;
  if (plan.tasks.every(({ id }) => isDone(workflow, id)))
    return stages === null ? { type: "finish" } : judgingStep(workflow, stages, facts);
  const names = givenUp.map(({ task }) => task);
  const failed = names.filter((task) => lastAttempt(workflow, task)?.state.type === "set-back");
  const why = failed.length > 0 && !failed.some((task) => isSpent(workflow, task)) ? IN_CIRCLES : "";
  return {
    type: "pause",
    reason: hasFailedTask(workflow) ? "iterations" : "blocked",
    detail: `${names.length} of ${plan.tasks.length} tasks given up: ${listed(names, MOST_LISTED)}${why}`,
  };
}
