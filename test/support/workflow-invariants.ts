import assert from "node:assert/strict";
import type { EventOf, LoopEvent } from "../../src/core/events/event.ts";
import type { Loop } from "../../src/core/loop/loop.ts";
import type { Workflow } from "../../src/core/plan/workflow.ts";
import { attemptsOf, isDone, lastAttempt, running, taskState, waves } from "../../src/core/plan/workflow.ts";
import { areRoundsUsedUp, unsettled } from "../../src/core/stages/asking.ts";
import type { SimulatedWorkflow } from "./simulated-workflow.ts";
import type { Scenario } from "./workflow-scenario.ts";

/** What has to hold whenever something is written down. */
export function watchOver(scenario: Scenario) {
  return (event: LoopEvent, before: Loop, world: SimulatedWorkflow): void => {
    if (event.type === "attempt.started") checkStart(scenario, event, before, world);
    if (event.type === "attempt.started") checkCounsel(event, before);
    if (event.type === "work.reviewed") checkReview(event, before);
    if (event.type === "loop.completed") checkJudged(scenario, before);
    if (event.type === "attempt.started" || event.type === "merge.ended") checkBranch(world);
    checkSpending(scenario, world);
  };
}

function checkStart(
  { parallel, isGit }: Scenario,
  { task, number, slot, agent, base }: EventOf<"attempt.started">,
  before: Loop,
  world: SimulatedWorkflow,
): void {
  const { workflow, loop, branch } = world;
  const planned = workflow.plan.tasks.find(({ id }) => id === task);
  assert(planned !== undefined);
  const there = branch.landed.slice(0, base === null ? undefined : branch.behind(base));
  for (const blocker of planned.blockedBy)
    assert(
      world.isIdle(blocker) || there.some(({ result }) => result.task === blocker),
      `${task} starts without the work of ${blocker}`,
    );
  assert(running(workflow).length <= (isGit ? parallel : 1), "too many attempts at once");
  const slots = running(workflow).map((attempt) => attempt.slot);
  assert(new Set(slots).size === slots.length && slot >= 1 && slot <= parallel, `slot ${slot} is taken`);
  assert(number <= workflow.attemptLimit, `attempt ${number} at ${task}`);
  const limited = before.workflow?.waits.find((wait) => wait.agent === agent);
  assert(limited === undefined || limited.until <= world.now, `${agent} waits for its usage limit`);
  const reserved = running(workflow).reduce((sum, { reservedUsd }) => sum + (reservedUsd ?? 0), 0);
  const { budgetUsd } = loop.limits;
  assert(budgetUsd === null || loop.spend.usd + reserved <= budgetUsd + 1e-9, "more promised than there is");
}

/** By nothing where agents end at their budget; otherwise by less than a turn, however many run at once. */
function checkSpending({ areCapped }: Scenario, { loop }: SimulatedWorkflow): void {
  const { limits, spend, dearestTurnUsd } = loop;
  if (limits.budgetUsd === null) return;
  const beyond = spend.usd - limits.budgetUsd;
  assert(beyond <= (areCapped ? 0 : dearestTurnUsd) + 1e-9, `$${beyond} more than there is were spent`);
}

function checkCounsel({ task, number }: EventOf<"attempt.started">, { workflow, stages }: Loop): void {
  const last = workflow === null ? null : lastAttempt(workflow, task);
  if (stages === null || last?.state.type !== "set-back") return;
  if (!["failed", "red-together"].includes(last.state.setback.kind)) return;
  assert(
    stages.counsels.some((each) => each.task === task && each.after === number - 1),
    `attempt ${number} at ${task} starts without counsel`,
  );
}

function checkReview({ commit, round }: EventOf<"work.reviewed">, { workflow, stages }: Loop): void {
  assert(workflow !== null && stages !== null && stages.policy.asks);
  assert(
    workflow.plan.tasks.every(({ id }) => isDone(workflow, id)),
    "a review before all is done",
  );
  assert(
    stages.reviews.every((each) => each.commit !== commit),
    "the same files are reviewed twice",
  );
  assert(round <= stages.roundLimit, `round ${round} of ${stages.roundLimit}`);
}

/** Nothing ends with a blocker that nobody accepted, unreviewed work, or a gate that is shut. */
function checkJudged({ judgement, isGit }: Scenario, { workflow, stages }: Loop): void {
  assert(workflow !== null && (stages === null) === (judgement === null));
  if (stages === null) return;
  const tip = workflow.branch?.tip ?? null;
  const gate = stages.gates.at(-1);
  assert(gate?.passed === true && gate.commit === tip && gate.tasks === workflow.plan.tasks.length);
  const last = stages.reviews.at(-1);
  if (last !== undefined && last.commit === tip)
    for (const { id, severity } of last.findings)
      assert(
        severity !== "BLOCKER" ||
          last.resolved.some(({ finding, how }) => finding === id && how === "approved"),
        `${id} is left`,
      );
  if (isGit && stages.policy.asks) assert.equal(last?.commit, tip);
}

/** On the branch is each accepted result once, and nothing else. */
function checkBranch(world: SimulatedWorkflow): void {
  const { branch, workflow, results } = world;
  const tasks = branch.landed.map(({ result }) => result.task);
  assert(new Set(tasks).size === tasks.length, "a task landed twice");
  for (const { result } of branch.landed) {
    assert(results.get(`${result.task}/${result.number}`) === result, "something unknown landed");
    assert(result.isGood, `the failed attempt ${result.number} at ${result.task} landed`);
    assert(lastAttempt(workflow, result.task)?.number === result.number, "an earlier attempt landed");
  }
  const done = workflow.plan.tasks
    .map(({ id }) => id)
    .filter((id) => isDone(workflow, id) && !world.isIdle(id));
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
  if (states.every((state) => state === "done")) return checkUnfinished(loop);
  assert.equal(loop.reason, "iterations");
  assert(
    states.every((state) => state === "done" || state === "given-up"),
    `neither done nor given up: ${states.join(" ")}`,
  );
  assert(states.includes("given-up"));
  for (const { task, why } of workflow.givenUp) checkGivenUp(workflow, task, why);
}

/** All is done, but a review or the gate keeps it from ending. */
function checkUnfinished(loop: Loop): void {
  const { workflow, stages } = loop;
  assert(loop.phase === "paused" && workflow !== null && stages !== null);
  if (loop.reason === "iterations") return assert(areRoundsUsedUp(workflow, stages));
  assert.equal(loop.reason, "blocked");
  const last = stages.reviews.at(-1);
  assert(last !== undefined && unsettled(last, workflow).length > 0);
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
