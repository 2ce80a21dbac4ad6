import { ImpossibleEvent } from "../events/event.ts";
import { findCycle } from "./graph.ts";
import { plannedTask, type Plan, type PlannedTask } from "./plan.ts";
import type { WorkflowEvent } from "./workflow-event.ts";
import type { Attempt, AttemptState, Workflow } from "./workflow.ts";
import {
  attemptsOf,
  awaited,
  isSkipped,
  lastAttempt,
  plusTime,
  taskState,
  withAttempt,
  withNewAttempt,
} from "./workflow.ts";

type EventOf<Type extends WorkflowEvent["type"]> = Extract<WorkflowEvent, { readonly type: Type }>;

/** Folds one fact into the workflow. Its first fact is the plan. */
export function evolveWorkflow(workflow: Workflow | null, event: WorkflowEvent, at: number): Workflow {
  if (event.type === "plan.adopted") {
    if (workflow !== null) throw new ImpossibleEvent("a second plan");
    return adopt(event);
  }
  if (workflow === null) throw new ImpossibleEvent(`${event.type} without a plan`);
  switch (event.type) {
    case "plan.extended":
      return {
        ...workflow,
        plan: expectSound({ ...workflow.plan, tasks: [...workflow.plan.tasks, ...event.tasks] }),
      };
    case "task.edited":
      return edit(workflow, event.task);
    case "task.skipped":
      return skip(workflow, event);
    case "task.retried":
      return retry(workflow, event.task);
    case "branch.begun": {
      if (workflow.branch !== null) throw new ImpossibleEvent("a second branch");
      const { name, from, userBranch } = event;
      return { ...workflow, branch: { name, from, userBranch, tip: from }, proven: from };
    }
    case "wave.begun":
      if (event.wave !== workflow.wavesBegun + 1)
        throw new ImpossibleEvent(`wave ${event.wave} begins after wave ${workflow.wavesBegun}`);
      return { ...workflow, wavesBegun: event.wave };
    case "wave.ended":
      if (event.wave !== workflow.wavesDone + 1 || event.wave > workflow.wavesBegun)
        throw new ImpossibleEvent(`wave ${event.wave} ends after wave ${workflow.wavesDone}`);
      return { ...workflow, wavesDone: event.wave };
    case "attempt.started":
      return start(workflow, event, at);
    case "attempt.placed":
      return withAttempt(workflow, { ...expectRunning(workflow, event), worker: event.worker });
    case "attempt.finished": {
      const { commit, confidence, doubts } = event;
      const started = expectRunning(workflow, event);
      const attempts = plusTime(workflow.measured.attempts, at - started.startedAt);
      const ended = end(workflow, started, { type: "finished", commit, confidence, doubts }, at);
      return { ...ended, measured: { ...workflow.measured, attempts } };
    }
    case "attempt.set-back":
      return end(workflow, expectRunning(workflow, event), { type: "set-back", setback: event.setback }, at);
    case "attempt.fell-short": {
      const attempt = expectRunning(workflow, event);
      const { iteration, detail } = event;
      const shortfalls = [...(attempt.shortfalls ?? []), { iteration, detail }];
      return withAttempt(workflow, { ...attempt, shortfalls });
    }
    case "merge.begun":
      return beginMerge(workflow, event, at);
    case "merge.ended":
      return endMerge(workflow, event, at);
    case "work.checked":
      return { ...workflow, proven: event.commit, unproven: [], suspects: [] };
    case "merge.undone":
      return undo(workflow, event);
    case "check.wavered":
      return { ...workflow, wavered: [...new Set([...workflow.wavered, event.check])] };
    case "task.given-up":
      return giveUp(workflow, event);
    case "agent.limited": {
      const { agent, until } = event;
      const others = workflow.waits.filter((wait) => wait.agent !== agent);
      return { ...workflow, waits: [...others, { agent, until }] };
    }
    case "delivery.begun":
      return { ...workflow, deliveredFrom: event.from };
    case "work.delivered":
      return { ...workflow, delivered: event.delivery };
  }
}

function adopt({ plan, parallel, attemptLimit, attemptUsd }: EventOf<"plan.adopted">): Workflow {
  const nothing = { count: 0, totalMs: 0 };
  return {
    plan: expectSound(plan),
    parallel,
    attemptLimit,
    attemptUsd,
    branch: null,
    attempts: [],
    merge: null,
    merges: 0,
    proven: null,
    unproven: [],
    suspects: [],
    undone: null,
    wavered: [],
    givenUp: [],
    skipped: [],
    retried: [],
    wavesBegun: 0,
    wavesDone: 0,
    retries: 0,
    measured: { attempts: nothing, merges: nothing },
    waits: [],
    deliveredFrom: null,
    delivered: null,
  };
}

function expectSound(plan: Plan): Plan {
  const ids = new Set(plan.tasks.map(({ id }) => id));
  if (ids.size < plan.tasks.length) throw new ImpossibleEvent("a plan with two tasks of one id");
  const unknown = plan.tasks.flatMap(({ blockedBy }) => blockedBy).find((id) => !ids.has(id));
  if (unknown !== undefined) throw new ImpossibleEvent(`a plan without its blocker ${unknown}`);
  const cycle = findCycle(plan.tasks);
  if (cycle !== null) throw new ImpossibleEvent(`a plan that goes round: ${cycle.join(", ")}`);
  return plan;
}

function start(workflow: Workflow, event: EventOf<"attempt.started">, at: number): Workflow {
  const { type: _type, ...attempt } = event;
  const state = taskState(workflow, expectTask(workflow, event.task));
  if (state !== "ready") throw new ImpossibleEvent(`an attempt at ${event.task}, which is ${state}`);
  const before = attemptsOf(workflow, event.task).length;
  if (event.number !== before + 1)
    throw new ImpossibleEvent(`attempt ${event.number} at ${event.task} follows attempt ${before}`);
  const started: Attempt = { ...attempt, startedAt: at, endedAt: null, state: { type: "running" } };
  const retries = workflow.retries + (event.number > 1 ? 1 : 0);
  return { ...withNewAttempt(workflow, started), retries };
}

function expectTask(workflow: Workflow, task: string): PlannedTask {
  const found = plannedTask(workflow.plan, task);
  if (found === null) throw new ImpossibleEvent(`${task} isn't in the plan`);
  return found;
}

function expectRunning(
  workflow: Workflow,
  { task, number }: { readonly task: string; readonly number: number },
): Attempt {
  const attempt = awaited(workflow, { task, number });
  if (attempt === null) throw new ImpossibleEvent(`attempt ${number} at ${task} ends, but doesn't run`);
  return attempt;
}

function end(workflow: Workflow, attempt: Attempt, state: AttemptState, at: number): Workflow {
  return withAttempt(workflow, { ...attempt, endedAt: at, state });
}

function giveUp(workflow: Workflow, { task, why }: EventOf<"task.given-up">): Workflow {
  const state = taskState(workflow, expectTask(workflow, task));
  if (state !== "ready" && state !== "blocked")
    throw new ImpossibleEvent(`${task} is given up, but is ${state}`);
  return { ...workflow, givenUp: [...workflow.givenUp, { task, why }] };
}

function edit(workflow: Workflow, task: PlannedTask): Workflow {
  const state = taskState(workflow, expectTask(workflow, task.id));
  if (state === "done" || state === "merging")
    throw new ImpossibleEvent(`${task.id} is changed, but is ${state}`);
  const tasks = workflow.plan.tasks.map((each) => (each.id === task.id ? task : each));
  return { ...workflow, plan: expectSound({ ...workflow.plan, tasks }) };
}

function skip(workflow: Workflow, { task, why }: EventOf<"task.skipped">): Workflow {
  const state = taskState(workflow, expectTask(workflow, task));
  if (state === "done" || state === "merging" || isSkipped(workflow, task))
    throw new ImpossibleEvent(`${task} is left out, but is ${state}`);
  const skipped = [...workflow.skipped, { task, why }];
  return { ...workflow, skipped, givenUp: stillGivenUp(workflow, task) };
}

function retry(workflow: Workflow, task: string): Workflow {
  const state = taskState(workflow, expectTask(workflow, task));
  if (state !== "given-up" && state !== "skipped")
    throw new ImpossibleEvent(`${task} is tried again, but is ${state}`);
  return {
    ...workflow,
    skipped: workflow.skipped.filter((each) => each.task !== task),
    givenUp: stillGivenUp(workflow, task),
    retried: [...workflow.retried, { task, after: attemptsOf(workflow, task).length }],
  };
}

/** Without this one, and without those that only waited for something that was given up: the scheduler looks at these again. */
function stillGivenUp(workflow: Workflow, task: string): Workflow["givenUp"] {
  return workflow.givenUp.filter(
    (each) => each.task !== task && lastAttempt(workflow, each.task)?.state.type === "set-back",
  );
}

/** A person gives each task more attempts: those that were given up are tried again. */
export function withMoreAttempts(workflow: Workflow, added: number): Workflow {
  return { ...workflow, attemptLimit: workflow.attemptLimit + added, givenUp: [] };
}

function beginMerge(workflow: Workflow, event: EventOf<"merge.begun">, at: number): Workflow {
  const { merge: id, tasks, onto } = event;
  if (workflow.merge !== null) throw new ImpossibleEvent("a merge begins while another one runs");
  if (id !== workflow.merges + 1) throw new ImpossibleEvent(`merge ${id} follows merge ${workflow.merges}`);
  if (tasks.length === 0 || new Set(tasks).size < tasks.length)
    throw new ImpossibleEvent(`a merge of ${tasks.length === 0 ? "nothing" : "one task twice"}`);
  for (const task of tasks) expectResult(workflow, task);
  return { ...workflow, merge: { id, tasks, onto, startedAt: at }, merges: id };
}

/** Results that were neither accepted nor set back stay as they are, and are merged again. */
function endMerge(workflow: Workflow, event: EventOf<"merge.ended">, at: number): Workflow {
  const { merge, branch } = workflow;
  if (merge === null || merge.id !== event.merge)
    throw new ImpossibleEvent(`merge ${event.merge} ends, but doesn't run`);
  const measured = { ...workflow.measured, merges: plusTime(workflow.measured.merges, at - merge.startedAt) };
  const unproven = [...workflow.unproven, ...event.accepted];
  let next: Workflow = { ...workflow, merge: null, measured, unproven, undone: null };
  for (const { task, commit } of event.accepted) {
    const last = expectMerged(next, merge.tasks, task);
    const { commit: result } = last.state;
    next = withAttempt(next, { ...last, state: { ...last.state, type: "integrated", commit, result } });
  }
  for (const { task, setback } of event.setBack) {
    const last = expectMerged(next, merge.tasks, task);
    next = withAttempt(next, { ...last, state: { type: "set-back", setback } });
  }
  const tip = event.accepted.at(-1)?.commit ?? null;
  return tip === null || branch === null ? next : { ...next, branch: { ...branch, tip } };
}

/** Results that are on the branch go back to where they waited for their merge. */
function undo(workflow: Workflow, { to, tasks, suspects }: EventOf<"merge.undone">): Workflow {
  const { branch, unproven } = workflow;
  if (branch === null || workflow.merge !== null)
    throw new ImpossibleEvent("a merge is undone without a branch, or while one runs");
  const undone = new Set(tasks);
  let next: Workflow = {
    ...workflow,
    branch: { ...branch, tip: to },
    unproven: unproven.filter(({ task }) => !undone.has(task)),
    suspects: [...new Set([...workflow.suspects, ...suspects])],
    undone: { from: branch.tip, to },
  };
  for (const task of undone) {
    const last = lastAttempt(workflow, task);
    if (last?.state.type !== "integrated" || !unproven.some((each) => each.task === task))
      throw new ImpossibleEvent(`the merge of ${task} is undone, which was not merged since`);
    const { result, ...state } = last.state;
    next = withAttempt(next, { ...last, state: { ...state, type: "finished", commit: result } });
  }
  return next;
}

type Finished = Attempt & { readonly state: Extract<AttemptState, { type: "finished" }> };

function expectMerged(workflow: Workflow, merged: readonly string[], task: string): Finished {
  if (!merged.includes(task)) throw new ImpossibleEvent(`${task} isn't part of the merge that ends`);
  return expectResult(workflow, task);
}

function expectResult(workflow: Workflow, task: string): Finished {
  const last = lastAttempt(workflow, task);
  if (last === null || last.state.type !== "finished")
    throw new ImpossibleEvent(`a merge of ${task}, which has no result`);
  return { ...last, state: last.state };
}
