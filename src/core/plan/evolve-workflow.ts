import { ImpossibleEvent } from "../impossible-event.ts";
import type { Task } from "../loop.ts";
import { wavesOf } from "./graph.ts";
import type { WorkflowEvent } from "./workflow-event.ts";
import type { Attempt, AttemptState, Measured, Workflow } from "./workflow.ts";
import { attemptsOf, lastAttempt, taskState } from "./workflow.ts";

type EventOf<Type extends WorkflowEvent["type"]> = Extract<WorkflowEvent, { readonly type: Type }>;

/** Folds one fact into the workflow. Its first fact is the plan. */
export function evolveWorkflow(workflow: Workflow | null, event: WorkflowEvent, at: number): Workflow {
  if (event.type === "plan.adopted") {
    if (workflow !== null) throw new ImpossibleEvent("a second plan");
    return adopt(event);
  }
  if (workflow === null) throw new ImpossibleEvent(`${event.type} without a plan`);
  switch (event.type) {
    case "branch.begun": {
      const { name, from, userBranch } = event;
      return { ...workflow, branch: { name, from, userBranch, tip: from } };
    }
    case "wave.begun":
      return { ...workflow, wavesBegun: Math.max(workflow.wavesBegun, event.wave) };
    case "wave.ended":
      return { ...workflow, wavesDone: Math.max(workflow.wavesDone, event.wave) };
    case "attempt.started":
      return start(workflow, event, at);
    case "attempt.finished": {
      const { commit, confidence } = event;
      const ended = end(workflow, event, { type: "finished", commit, confidence }, at);
      return { ...ended, measured: { ...ended.measured, attempts: measured(ended, event, at) } };
    }
    case "attempt.set-back":
      return end(workflow, event, { type: "set-back", setback: event.setback }, at);
    case "merge.begun": {
      if (workflow.merge !== null) throw new ImpossibleEvent("a merge begins while another one runs");
      const { merge: id, tasks, onto } = event;
      return {
        ...workflow,
        merge: { id, tasks, onto, startedAt: at },
        merges: Math.max(workflow.merges, id),
      };
    }
    case "merge.ended":
      return endMerge(workflow, event, at);
    case "task.given-up":
      return { ...workflow, givenUp: [...workflow.givenUp, { task: event.task, why: event.why }] };
    case "agent.limited": {
      const { agent, until } = event;
      const others = workflow.waits.filter((wait) => wait.agent !== agent);
      return { ...workflow, waits: [...others, { agent, until }] };
    }
    case "work.delivered":
      return { ...workflow, delivered: event.delivery };
  }
}

function adopt({ plan, parallel, attemptLimit, attemptUsd }: EventOf<"plan.adopted">): Workflow {
  const nothing = { count: 0, totalMs: 0 };
  return {
    plan,
    parallel,
    attemptLimit,
    attemptUsd,
    branch: null,
    attempts: [],
    merge: null,
    merges: 0,
    givenUp: [],
    wavesBegun: 0,
    wavesDone: 0,
    retries: 0,
    measured: { attempts: nothing, merges: nothing },
    waits: [],
    delivered: null,
  };
}

function start(workflow: Workflow, event: EventOf<"attempt.started">, at: number): Workflow {
  const { type: _type, ...attempt } = event;
  if (!workflow.plan.tasks.some(({ id }) => id === event.task))
    throw new ImpossibleEvent(`an attempt at ${event.task}, which isn't in the plan`);
  const before = attemptsOf(workflow, event.task);
  if (event.number !== before.length + 1)
    throw new ImpossibleEvent(`attempt ${event.number} at ${event.task} follows attempt ${before.length}`);
  const last = before.at(-1);
  if (last !== undefined && last.state.type !== "set-back")
    throw new ImpossibleEvent(`another attempt at ${event.task}, which is ${last.state.type}`);
  const started: Attempt = { ...attempt, startedAt: at, endedAt: null, state: { type: "running" } };
  return {
    ...workflow,
    attempts: [...workflow.attempts, started],
    retries: workflow.retries + (event.number > 1 ? 1 : 0),
  };
}

function end(
  workflow: Workflow,
  { task, number }: { readonly task: string; readonly number: number },
  state: AttemptState,
  at: number,
): Workflow {
  const last = lastAttempt(workflow, task);
  if (last === null || last.number !== number || last.state.type !== "running")
    throw new ImpossibleEvent(`attempt ${number} at ${task} ends, but doesn't run`);
  return withAttempt(workflow, { ...last, endedAt: at, state });
}

function endMerge(workflow: Workflow, event: EventOf<"merge.ended">, at: number): Workflow {
  const { merge, branch } = workflow;
  if (merge === null || merge.id !== event.merge)
    throw new ImpossibleEvent(`merge ${event.merge} ends, but doesn't run`);
  let next: Workflow = {
    ...workflow,
    merge: null,
    measured: { ...workflow.measured, merges: plus(workflow.measured.merges, at - merge.startedAt) },
  };
  for (const { task, commit } of event.accepted) {
    const last = expectFinished(next, task);
    next = withAttempt(next, { ...last, state: { ...last.state, type: "integrated", commit } });
  }
  for (const { task, setback } of event.setBack) {
    const last = expectFinished(next, task);
    next = withAttempt(next, { ...last, state: { type: "set-back", setback } });
  }
  const tip = event.accepted.at(-1)?.commit;
  return tip == null || branch === null ? next : { ...next, branch: { ...branch, tip } };
}

type Finished = Attempt & { readonly state: Extract<AttemptState, { type: "finished" }> };

function expectFinished(workflow: Workflow, task: string): Finished {
  const last = lastAttempt(workflow, task);
  if (last === null || last.state.type !== "finished")
    throw new ImpossibleEvent(`a merge of ${task}, which has no result`);
  return { ...last, state: last.state };
}

function withAttempt(workflow: Workflow, changed: Attempt): Workflow {
  const attempts = workflow.attempts.map((each) =>
    each.task === changed.task && each.number === changed.number ? changed : each,
  );
  return { ...workflow, attempts };
}

function measured(workflow: Workflow, { task }: { readonly task: string }, at: number): Measured["attempts"] {
  return plus(workflow.measured.attempts, at - (lastAttempt(workflow, task)?.startedAt ?? at));
}

function plus({ count, totalMs }: Measured["attempts"], ms: number): Measured["attempts"] {
  return { count: count + 1, totalMs: totalMs + Math.max(0, ms) };
}

const STATUSES = {
  done: "completed",
  running: "in_progress",
  merging: "in_progress",
  ready: "pending",
  blocked: "pending",
  "given-up": "pending",
} as const;

/** The workflow's tasks in the form that every loop with tasks has. */
export function tasksOf(workflow: Workflow): readonly Task[] {
  const waves = wavesOf(workflow.plan.tasks);
  return workflow.plan.tasks.map((task) => ({
    id: task.id,
    subject: task.subject,
    status: STATUSES[taskState(workflow, task)],
    blockedBy: task.blockedBy,
    wave: waves.get(task.id) ?? null,
    attempts: attemptsOf(workflow, task.id).length,
  }));
}
