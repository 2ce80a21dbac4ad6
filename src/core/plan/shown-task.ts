import { describeCheck } from "../loop/criterion.ts";
import type { Task } from "../loop/loop.ts";
import { placeInPlan, plannedTask, type PlannedTask } from "./plan.ts";
import type { WorkflowEvent } from "./workflow-event.ts";
import { lastAttempt, attemptsOf, taskState, type Result, type Workflow, type Setback } from "./workflow.ts";
import { wavesOf } from "./graph.ts";
import { errorSignature } from "../stop/error-signature.ts";
import { failingLine } from "../output/failing-line.ts";

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
  const planned = plannedTask(plan, task);
  if (planned === null || planned.check !== null) return [];
  return [
    planned.proposed === null ? "it has no check" : "nobody approved the check that was proposed for it",
  ];
}

function flakyCheck({ plan, wavered }: Workflow, task: string): readonly string[] {
  if (!wavered.includes(task)) return [];
  const check = plannedTask(plan, task)?.check ?? null;
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

/** Lists that were made here. Any other is a snapshot's, or that of a frame with tasks of its own. */
const made = new WeakSet<readonly Task[]>();

/**
 * The workflow's tasks, after an event, in the form that every loop with tasks has. An event changes no task that it doesn't name,
 * so the others are taken from the list before it.
 */
export function tasksAfter(
  event: WorkflowEvent,
  before: readonly Task[],
  workflow: Workflow,
): readonly Task[] {
  const named = made.has(before) ? namedIn(event) : "any";
  const tasks =
    named === "any"
      ? workflow.plan.tasks.map((task) => taskOf(workflow, task))
      : named.reduce((list, id) => withTask(list, workflow, id), before);
  made.add(tasks);
  return tasks;
}

function withTask(tasks: readonly Task[], workflow: Workflow, id: string): readonly Task[] {
  const place = placeInPlan(workflow.plan, id);
  const task = workflow.plan.tasks[place ?? -1];
  return place === null || task === undefined ? tasks : tasks.with(place, taskOf(workflow, task));
}

function taskOf(workflow: Workflow, task: PlannedTask): Task {
  return {
    id: task.id,
    subject: task.subject,
    status: STATUSES[taskState(workflow, task)],
    blockedBy: task.blockedBy,
    wave: wavesOf(workflow.plan.tasks).get(task.id) ?? null,
    attempts: attemptsOf(workflow, task.id).length,
  };
}

function namedIn(event: WorkflowEvent): readonly string[] | "any" {
  switch (event.type) {
    case "plan.adopted":
    case "plan.extended":
    case "task.edited":
      return "any";
    case "attempt.started":
    case "attempt.finished":
    case "attempt.set-back":
    case "task.given-up":
    case "task.skipped":
    case "task.retried":
      return [event.task];
    case "merge.undone":
      return event.tasks;
    case "merge.ended":
      return [...event.accepted, ...event.setBack].map(({ task }) => task);
    case "branch.begun":
    case "wave.begun":
    case "wave.ended":
    case "attempt.placed":
    case "attempt.fell-short":
    case "merge.begun":
    case "work.checked":
    case "check.wavered":
    case "agent.limited":
    case "delivery.begun":
    case "work.delivered":
      return [];
  }
}

/** Before the name of each check that failed; its output follows. */
const HEADING = "--- ";

interface Failure {
  readonly why: string;
  /** What the agent said after each turn. */
  readonly said: readonly string[];
  readonly checks: readonly { readonly name: string; readonly ending: string; readonly output: string }[];
}

/** The detail of a setback, for the next attempt and for people. */
export function failureText({ why, said, checks }: Failure): string {
  const words = said.map((each) => `- ${each}`).join("\n");
  return [
    why,
    words === "" ? "" : `The agent said:\n${words}`,
    ...checks.map(({ name, ending, output }) => `${HEADING}${name}: ${ending}\n${output}`),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** What the checks printed, without the rest of a setback's detail. */
export function printedIn(detail: string): string {
  const lines = detail.split("\n");
  const first = lines.findIndex((line) => line.startsWith(HEADING));
  if (first === -1) return lines.slice(1).join("\n");
  return lines
    .slice(first)
    .filter((line) => !line.startsWith(HEADING))
    .join("\n");
}

/** Why an attempt came to nothing, in a line: why it ended, and the most telling line of what its checks printed. */
export function failureLine(detail: string): string {
  const [why = ""] = detail.split("\n");
  const telling = failingLine(printedIn(detail));
  return telling === null ? why : `${why.replace(/\.$/, "")}: ${telling}`;
}

const TOLD_WHOLE = 3;
const LONGEST_TOLD = 4_000;

/** What failed, for whoever tries next: the last attempts with what was printed, those before in a line each. */
export function failuresTold(details: readonly string[]): readonly string[] {
  return details.map((detail, index) =>
    index < details.length - TOLD_WHOLE ? failureLine(detail) : detail.slice(-LONGEST_TOLD),
  );
}

/** Whether two attempts came to nothing in the same way, whatever their agents said. */
export function isSameFailure(one: Setback, other: Setback): boolean {
  return one.kind === other.kind && signatureOf(one) === signatureOf(other);
}

function signatureOf({ detail }: Setback): string {
  const printed = printedIn(detail);
  return errorSignature("", printed.trim() === "" ? detail : printed);
}
