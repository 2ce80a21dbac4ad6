import { listed } from "../listed.ts";
import { expectedPaths, startsOf, expectedMs, parallelOf } from "./startable-tasks.ts";
import { isBesideAll, type Facts, type StartStep, type Step } from "./step.ts";
import { besideSteps, judgingStep } from "../stages/asking.ts";
import type { Stages } from "../stages/stages.ts";
import type { Workflow, Setback } from "./workflow.ts";
import {
  areAllSettled,
  attemptsBeforeRetry,
  isDone,
  isSettled,
  isGivenUp,
  circlingTasks,
  failedTasks,
  isSpent,
  lastAttempt,
  running,
  waves,
  attemptsOf,
  meanOf,
} from "./workflow.ts";
import { isSameFailure } from "./shown-task.ts";

const MOST_LISTED = 5;
const IN_CIRCLES = ", after failing in the same way each time (--stuck-limit)";

/**
 * All that may be done now, in this order; nothing when something under way has to end first. A start or a merge is written to
 * the journal before it is done, and the next call decides on what the journal then says. Without stages, a plan ends with its tasks.
 */
export function schedule(workflow: Workflow, stages: Stages | null, facts: Facts): readonly Step[] {
  const paths = expectedPaths(workflow);
  const { starts, hindrance } = startsOf(workflow, stages, facts, paths);
  const merge = mergeOf(workflow, facts, paths);
  const givenUp = giveUps(workflow, stages, facts);
  const isGoingOn = (id: string): boolean => !givenUp.some(({ task }) => task === id);
  const steps: readonly Step[] = [
    ...givenUp,
    ...wavesDone(workflow),
    ...announced(
      workflow,
      starts.filter(({ task }) => isGoingOn(task)),
    ),
    ...(stages === null ? [] : besideSteps(workflow, stages, facts)).filter(
      (step) => step.type !== "counsel" || isGoingOn(step.task),
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
    (tasks) => !tasks.every(({ id }) => isSettled(workflow, id) || isGivenUp(workflow, id)),
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
  if (areAllSettled(workflow))
    return stages === null ? { type: "finish" } : judgingStep(workflow, stages, facts);
  const names = givenUp.map(({ task }) => task);
  if (facts.deliversDone === true && plan.tasks.some(({ id }) => isDone(workflow, id)))
    return { type: "leave-out", tasks: givenUp };
  const circling = circlingTasks(workflow).length;
  const why = circling > 0 && circling === failedTasks(workflow).length ? IN_CIRCLES : "";
  return {
    type: "pause",
    reason: failedTasks(workflow).length > 0 ? "iterations" : "blocked",
    detail: `${names.length} of ${plan.tasks.length} tasks given up: ${listed(names, MOST_LISTED)}${why}`,
  };
}

/** Tasks that have had their attempts or go in circles, and all that wait for them. */
function giveUps(
  workflow: Workflow,
  stages: Stages | null,
  facts: Pick<Facts, "stuck">,
): readonly Extract<Step, { type: "give-up" }>[] {
  /** By task: the one that has failed, which is itself or what blocks it. */
  const failed = new Map<string, string>();
  for (const { id, blockedBy } of waves(workflow.plan).flat()) {
    if (isSettled(workflow, id)) continue;
    const blocker = blockedBy.map((each) => failed.get(each)).find((each) => each !== undefined);
    if (blocker !== undefined) failed.set(id, blocker);
    else if (isSpent(workflow, id) || isGivenUp(workflow, id) || goesInCircles(workflow, stages, facts, id))
      failed.set(id, id);
  }
  return [...failed]
    .filter(([task]) => !isGivenUp(workflow, task))
    .map(([task, root]) => ({
      type: "give-up",
      task,
      why: task === root ? lastSetback(workflow, task) : `blocked by ${root}, which was given up`,
    }));
}

/** More attempts than the stuck limit failed in the same way, one after the other, and no model knew another approach. */
function goesInCircles(
  workflow: Workflow,
  stages: Stages | null,
  { stuck }: Pick<Facts, "stuck">,
  task: string,
): boolean {
  if (stuck === undefined || stuck.limit === 0) return false;
  const recent = attemptsOf(workflow, task)
    .slice(attemptsBeforeRetry(workflow, task))
    .filter(({ startedAt }) => startedAt >= stuck.since)
    .slice(-stuck.limit - 1);
  const failures = recent.flatMap(({ state }): readonly Setback[] =>
    state.type === "set-back" && state.setback.kind === "failed" ? [state.setback] : [],
  );
  const [first] = failures;
  if (first === undefined || failures.length <= stuck.limit) return false;
  const advised = stages?.counsels.findLast((each) => each.task === task)?.agent ?? null;
  return advised === null && failures.every((each) => isSameFailure(each, first));
}

function lastSetback(workflow: Workflow, task: string): string {
  const state = lastAttempt(workflow, task)?.state;
  return state?.type === "set-back" ? state.setback.detail : "";
}

const MOST_TOGETHER = 8;
/** How many results are expected to be red before anything was seen. */
const RED_AT_FIRST = { red: 1, of: 10 };

/**
 * The next merge, of the result that holds up most; or of several when results come faster than they can be checked
 * one by one.
 */
function mergeOf(
  workflow: Workflow,
  facts: Facts,
  paths: ReadonlyMap<string, number>,
): Extract<Step, { type: "merge" }> | null {
  if (workflow.merge !== null) return null;
  const heldUp = new Map(
    workflow.plan.tasks.map((task) => [task.id, (paths.get(task.id) ?? 0) - expectedMs(workflow, task)]),
  );
  const waiting = workflow.attempts
    .filter(({ state }) => state.type === "finished")
    .map(({ task }) => task)
    .toSorted((one, other) => (heldUp.get(other) ?? 0) - (heldUp.get(one) ?? 0));
  const most = isQueueSlow(workflow, facts) ? mostTogether(workflow) : 1;
  const tasks: string[] = [];
  for (const task of waiting) {
    if (tasks.length === most) break;
    // A conflict with a result that isn't accepted in the end would be nobody's.
    if (!tasks.some((each) => facts.overlap(task, each))) tasks.push(task);
  }
  return tasks.length === 0 ? null : { type: "merge", tasks };
}

/** So many that half of one is expected to be red: to find that one costs checks which the others have to save. */
function mostTogether({ attempts }: Workflow): number {
  const green = attempts.filter(({ state }) => state.type === "integrated").length;
  const red = attempts.filter(
    ({ state }) => state.type === "set-back" && state.setback.kind === "red-together",
  ).length;
  const share = (RED_AT_FIRST.red + red) / (RED_AT_FIRST.of + red + green);
  return Math.max(1, Math.min(MOST_TOGETHER, Math.floor(0.5 / share)));
}

function isQueueSlow(workflow: Workflow, facts: Facts): boolean {
  const { attempts, merges } = workflow.measured;
  const attemptMs = meanOf(attempts);
  const mergeMs = meanOf(merges);
  return attemptMs !== null && mergeMs !== null && mergeMs > attemptMs / parallelOf(workflow, facts);
}
