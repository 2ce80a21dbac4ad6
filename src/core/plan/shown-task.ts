import { describeCheck } from "../loop/criterion.ts";
import type { Task } from "../loop/loop.ts";
import { lastAttempt, attemptsOf, taskState, type Result, type Workflow } from "./workflow.ts";
import { wavesOf } from "./graph.ts";

/** How far a task is shown to be done, and why it isn't verified: what its checks don't show, or that there is none. */
type Shown = Pick<Result, "confidence" | "doubts">;

export const NOT_SHOWN: Shown = { confidence: "unverified", doubts: [] };

export const FLAKY = "is flaky: it failed and passed on the same files";

/** null: it isn't done. */
export function shownTask(workflow: Workflow, task: string): Shown | null {
  const state = lastAttempt(workflow, task)?.state;
  if (state?.type !== "integrated") return null;
  const doubts = [
    ...state.doubts,
    ...flakyCheck(workflow, task),
    ...(state.confidence === "unverified" ? missingCheck(workflow, task) : []),
  ];
  const isDoubtful = state.confidence === "verified" && doubts.length > 0;
  return { confidence: isDoubtful ? "weak" : state.confidence, doubts };
}

function missingCheck({ plan }: Workflow, task: string): readonly string[] {
  const planned = plan.tasks.find(({ id }) => id === task);
  if (planned === undefined || planned.check !== null) return [];
  return [
    planned.proposed === null ? "it has no check" : "nobody approved the check that was proposed for it",
  ];
}

function flakyCheck({ plan, wavered }: Workflow, task: string): readonly string[] {
  if (!wavered.includes(task)) return [];
  const check = plan.tasks.find(({ id }) => id === task)?.check ?? null;
  return [check === null ? `its check ${FLAKY}` : `its check \`${describeCheck(check)}\` ${FLAKY}`];
}

/** Must-nots, by their words, that failed and held on the same files. */
export function flakyMustNots({ plan, wavered }: Workflow): readonly string[] {
  const tasks = new Set(plan.tasks.map(({ id }) => id));
  return wavered.filter((name) => !tasks.has(name));
}

const STATUSES = {
  done: "completed",
  running: "in_progress",
  merging: "in_progress",
  ready: "pending",
  blocked: "pending",
  "given-up": "pending",
  skipped: "pending",
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
