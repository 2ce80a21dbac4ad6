import type { LoopEvent } from "../../core/events/event.ts";
import { DEFAULT_TIMEOUT_MS } from "../../core/loop/criterion.ts";
import { topFrame, type Loop } from "../../core/loop/loop.ts";
import {
  type TaskWords,
  emptyTask,
  lintTask,
  nextTaskId,
  withWords,
} from "../../core/plan-files/task-draft.ts";
import { isFinalTask, type PlannedTask } from "../../core/plan/plan.ts";
import type { TaskState, Workflow } from "../../core/plan/workflow.ts";
import { isAtWork, isSettled, isSkipped, running, taskState } from "../../core/plan/workflow.ts";
import { UserError } from "../../core/user-error.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { expectPerson } from "../lifecycle/expect-person.ts";
import { expectOpen } from "../lifecycle/lifecycle.ts";
import { wordsTold } from "../lifecycle/pass-on-words.ts";
import { recordApproved } from "../opening/checks-of-loop.ts";
import { loopOfAttempt } from "./begin-attempt.ts";
import { cancelled } from "./lost-records.ts";
import { openLater } from "./plan-checks.ts";

/** What a person changed in a plan, and what is to be known about it. */
export interface ChangedPlan {
  readonly loop: Loop;
  readonly task: PlannedTask;
  readonly notices: readonly string[];
}

/** A person's own task. What only looks at the end waits for it, too. */
export async function addTask(
  machine: Machine,
  chosen: KnownLoop,
  id: string | null,
  words: TaskWords,
): Promise<ChangedPlan> {
  return change(machine, chosen, "task add", (loop, workflow) => {
    const { plan } = workflow;
    const known = plan.tasks.find((each) => each.id.toLowerCase() === id?.toLowerCase());
    if (known !== undefined)
      throw new UserError(`The plan has ${known.id} already; change it with: loop task edit ${known.id}`);
    const task = withWords(emptyTask(id ?? nextTaskId(plan)), words, timeoutOf(workflow));
    const final = plan.tasks
      .filter((each) => isFinalTask(each.id) && !isSettled(workflow, each.id) && !isAtWork(workflow, each.id))
      .map((each): LoopEvent => ({
        type: "task.edited",
        task: { ...each, blockedBy: [...each.blockedBy, task.id] },
      }));
    const notices = lint(loop, workflow, task);
    return { task, notices, events: [{ type: "plan.extended", tasks: [task], why: "a person" }, ...final] };
  });
}

/** An attempt that is at the task ends: it works on what the task said before. */
export async function editTask(
  machine: Machine,
  chosen: KnownLoop,
  id: string,
  words: TaskWords,
): Promise<ChangedPlan> {
  const changed = await change(machine, chosen, "task edit", (loop, workflow) => {
    const before = expectTask(workflow, id, ["done", "merging"]);
    if (isFinalTask(before.id))
      throw new UserError(
        `${before.id} is a criterion of the whole plan; change it with: loop criteria, in a new loop.`,
      );
    const task = withWords(before, words, timeoutOf(workflow));
    return { task, notices: lint(loop, workflow, task), events: [{ type: "task.edited", task }] };
  });
  await endAttemptsAt(machine, chosen, [changed.task.id]);
  return changed;
}

export async function skipTask(
  machine: Machine,
  chosen: KnownLoop,
  id: string,
  why: string,
): Promise<ChangedPlan> {
  const changed = await change(machine, chosen, "task skip", (_, workflow) => {
    const task = expectTask(workflow, id, ["done", "merging", "skipped"]);
    if (isSkipped(workflow, task.id)) throw new UserError(`${task.id} is left out already.`);
    return { task, notices: [], events: [{ type: "task.skipped", task: task.id, why, by: "person" }] };
  });
  await endAttemptsAt(machine, chosen, [changed.task.id]);
  return changed;
}

/** `say`: what the next attempt is told. */
export async function retryTask(
  machine: Machine,
  chosen: KnownLoop,
  id: string,
  say: string | null,
): Promise<ChangedPlan> {
  return change(machine, chosen, "task retry", (loop, workflow) => {
    const task = expectTask(workflow, id, ["done", "merging", "running", "ready", "blocked"]);
    const told = say === null ? [] : [wordsTold(loop, task.id, say)];
    return { task, notices: [], events: [{ type: "task.retried", task: task.id }, ...told] };
  });
}

/** Ends the attempts at these tasks that run. Whoever drives the plan notices, charges them, and goes on. */
export async function endAttemptsAt(
  machine: Machine,
  { live }: Pick<KnownLoop, "live">,
  tasks: readonly string[],
): Promise<void> {
  const { loop, project } = live;
  const attempts = loop.workflow === null ? [] : running(loop.workflow);
  for (const attempt of attempts.filter(({ task }) => tasks.includes(task))) {
    const own = await loopOfAttempt(machine, project, attempt);
    if (own !== null) await cancelled(own.live);
  }
}

interface Change {
  readonly task: PlannedTask;
  readonly notices: readonly string[];
  readonly events: readonly LoopEvent[];
}

/** The approval record knows the changed plan before the journal does. */
async function change(
  machine: Machine,
  chosen: KnownLoop,
  command: string,
  decide: (loop: Loop, workflow: Workflow) => Change,
): Promise<ChangedPlan> {
  await expectPerson(machine, command, chosen);
  const decideOn = (loop: Loop): Change => {
    expectOpen(loop);
    if (loop.workflow === null)
      throw new UserError(`The loop ${loop.id} has no plan yet; see where it is with: loop status`);
    return decide(loop, loop.workflow);
  };
  const foreseen = decideOn(await chosen.live.refresh());
  if (foreseen.events.some(({ type }) => type === "plan.extended" || type === "task.edited"))
    await openLater(machine, chosen, foreseen.task);
  let decided = foreseen;
  const loop = await recordApproved(machine, chosen, (now) => {
    decided = decideOn(now);
    return decided.events;
  });
  return { loop, task: decided.task, notices: decided.notices };
}

/** As long as the other checks of the plan may take. */
function timeoutOf({ plan }: Workflow): number {
  return plan.tasks.find(({ check }) => check !== null)?.check?.timeoutMs ?? DEFAULT_TIMEOUT_MS;
}

/** What a person should know about the task; an error stops. */
function lint(loop: Loop, { plan }: Workflow, task: PlannedTask): readonly string[] {
  const issues = lintTask(plan, task, topFrame(loop).spec);
  const errors = issues.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new UserError(errors.map(({ text }) => text).join("\n"));
  const unchecked =
    task.check === null
      ? [
          `${task.id} has no check, so it stays unverified; add one with: loop task edit ${task.id} --verify 'npm test'`,
        ]
      : [];
  return [...issues.map(({ text }) => text), ...unchecked];
}

const WHY_NOT: { readonly [State in TaskState]: (id: string) => string } = {
  done: (id) => `${id} is done and merged; add a task for what is left: loop task add`,
  merging: (id) => `${id} is finished and waits for its merge; add a task for what is left: loop task add`,
  running: (id) => `${id} is being worked on; tell its agent something with: loop tell ${id} TEXT`,
  ready: (id) => `${id} has attempts left, and is tried when its turn comes.`,
  blocked: (id) => `${id} waits for other tasks, and is tried after them.`,
  "given-up": (id) => `${id} was given up.`,
  skipped: (id) => `${id} is left out; take it back in with: loop task retry ${id}`,
};

function expectTask(workflow: Workflow, id: string, not: readonly TaskState[]): PlannedTask {
  const task = workflow.plan.tasks.find((each) => each.id === id);
  if (task === undefined) throw new UserError(`The plan has no task "${id}"; see them with: loop task`);
  const state = taskState(workflow, task);
  if (not.includes(state)) throw new UserError(WHY_NOT[state](id));
  return task;
}
