import assert from "node:assert/strict";
import type { EventOf, LoopEvent } from "../../src/core/event.ts";
import type { Loop } from "../../src/core/loop.ts";
import type { Workflow } from "../../src/core/plan/workflow.ts";
import { attemptsOf, isDone, lastAttempt, running, taskState, waves } from "../../src/core/plan/workflow.ts";
import type { SimulatedWorkflow } from "./simulated-workflow.ts";
import type { Scenario } from "./workflow-scenario.ts";

/** What has to hold whenever something is written down. */
export function watchOver(scenario: Scenario) {
  return (event: LoopEvent, before: Loop, world: SimulatedWorkflow): void => {
    if (event.type === "attempt.started") checkStart(scenario, event, before, world);
    if (event.type === "attempt.started" || event.type === "merge.ended") checkBranch(world);
  };
}

function checkStart(
  { parallel, isGit, attemptLimit, tasks }: Scenario,
  { task, number, slot, agent, base }: EventOf<"attempt.started">,
  before: Loop,
  world: SimulatedWorkflow,
): void {
  const { workflow, loop, branch } = world;
  const planned = tasks.find(({ id }) => id === task);
  assert(planned !== undefined);
  const there = branch.landed.slice(0, base === null ? undefined : branch.behind(base));
  for (const blocker of planned.blockedBy)
    assert(
      there.some(({ result }) => result.task === blocker),
      `${task} starts without the work of ${blocker}`,
    );
  assert(running(workflow).length <= (isGit ? parallel : 1), "too many attempts at once");
  const slots = running(workflow).map((attempt) => attempt.slot);
  assert(new Set(slots).size === slots.length && slot >= 1 && slot <= parallel, `slot ${slot} is taken`);
  assert(number <= attemptLimit, `attempt ${number} at ${task}`);
  const limited = before.workflow?.waits.find((wait) => wait.agent === agent);
  assert(limited === undefined || limited.until <= world.now, `${agent} waits for its usage limit`);
  const reserved = running(workflow).reduce((sum, { reservedUsd }) => sum + (reservedUsd ?? 0), 0);
  const { budgetUsd } = loop.limits;
  assert(budgetUsd === null || loop.spend.usd + reserved <= budgetUsd + 1e-9, "more promised than there is");
}

/** On the branch is each accepted result once, and nothing else. */
function checkBranch({ branch, workflow, results }: SimulatedWorkflow): void {
  const tasks = branch.landed.map(({ result }) => result.task);
  assert(new Set(tasks).size === tasks.length, "a task landed twice");
  for (const { result } of branch.landed) {
    assert(results.get(`${result.task}/${result.number}`) === result, "something unknown landed");
    assert(result.isGood, `the failed attempt ${result.number} at ${result.task} landed`);
    assert(lastAttempt(workflow, result.task)?.number === result.number, "an earlier attempt landed");
  }
  const done = workflow.plan.tasks.filter(({ id }) => isDone(workflow, id)).map(({ id }) => id);
  if (workflow.merge === null) assert.deepEqual(tasks.toSorted(), done.toSorted());
}

/** What has to hold once a run came to its end. */
export function checkEnding(world: SimulatedWorkflow): void {
  const { loop, workflow } = world;
  checkBranch(world);
  assert(workflow.merge === null && running(workflow).length === 0, "something is still under way");
  const states = workflow.plan.tasks.map((task) => taskState(workflow, task));
  if (loop.phase === "completed") {
    assert(states.every((state) => state === "done"));
    assert.equal(workflow.wavesBegun, waves(workflow.plan).length);
    assert.equal(workflow.wavesDone, workflow.wavesBegun);
    return;
  }
  assert(loop.phase === "paused");
  if (loop.reason === "budget") return;
  assert.equal(loop.reason, "iterations");
  assert(
    states.every((state) => state === "done" || state === "given-up"),
    `neither done nor given up: ${states.join(" ")}`,
  );
  assert(states.includes("given-up"));
  for (const { task, why } of workflow.givenUp) checkGivenUp(workflow, task, why);
}

/** After all of its attempts, with what the last one came to; or because of a task that it waits for. */
function checkGivenUp(workflow: Workflow, task: string, why: string): void {
  const attempts = attemptsOf(workflow, task);
  const last = attempts.at(-1);
  if (attempts.length >= workflow.attemptLimit) {
    assert(last?.state.type === "set-back" && last.state.setback.detail === why);
    return;
  }
  const root = /^blocked by (\S+), which was given up$/.exec(why)?.[1];
  assert(root !== undefined, `${task}: ${why}`);
  assert(blockersOf(workflow, task).has(root), `${task} doesn't wait for ${root}`);
  assert(attemptsOf(workflow, root).length >= workflow.attemptLimit, `${root} isn't out of attempts`);
}

/** Directly or through others. */
function blockersOf(workflow: Workflow, task: string): ReadonlySet<string> {
  const found = new Set([task]);
  for (const id of found)
    for (const blocker of workflow.plan.tasks.find((each) => each.id === id)?.blockedBy ?? [])
      found.add(blocker);
  return found;
}
