import { isRemediation } from "../core/questions/remediation.ts";
import { counted } from "../system/text/quantities.ts";
import type { StatusView } from "./status.ts";
import type { WorkflowStatus, WorkflowTask } from "./plan.ts";

type Gate = NonNullable<NonNullable<WorkflowStatus["judgement"]>["gate"]>;
type GateItem = Gate["items"][number];

/** A gate lets through what nothing speaks against, which is less than shown. */
export function gateSentence({ passed, items }: Gate): string {
  const count = (wanted: string): number => items.filter(({ state }) => state === wanted).length;
  const [met, open] = [count("met"), count("open")];
  const against =
    passed && open === 0
      ? "nothing contradicts it"
      : `${counted(open, "item contradicts", "items contradict")} it`;
  const missing = items.length - met - open;
  return `${against}; ${met} of ${counted(items.length, "item")} ${met === 1 ? "is" : "are"} shown by a check${missing === 0 ? "" : `, ${missing} unproven`}`;
}

/** `passed` only where all of it is shown, so that it doesn't stand beside what is unproven. */
export function gateWord({ passed, items }: Gate): string {
  if (!passed) return "shut";
  return items.every(({ state }) => state === "met") ? "passed" : "let through";
}

/** What speaks against the work, as a sentence: the name of an item alone would read as if it held. */
export function objectionWords({ name, detail }: Pick<GateItem, "name" | "detail">): string {
  if (detail === null) return `“${name}” does not hold`;
  return detail
    .split("; ")
    .map((each) => each.replace(/^holdout: (\S+) (.+)$/s, "$2 ($1)"))
    .join("; ");
}

/** What was verified alone may be contradicted at the gate, which names the task. */
export function objectionsTo(
  { id }: Pick<WorkflowTask, "id">,
  judgement: WorkflowStatus["judgement"],
): readonly string[] {
  return (judgement?.gate?.items ?? [])
    .filter(({ state, detail }) => state === "open" && detail?.split(/[^\w-]+/).includes(id) === true)
    .map(objectionWords);
}

/** `2 of 2 tasks, 1 of 2 repairs merged`: what a review or the gate made a task was never planned. */
export function mergedWords({ tasks }: Pick<WorkflowStatus, "tasks">): string {
  const done = (some: readonly WorkflowTask[]): string =>
    `${some.filter(({ state }) => state === "done").length} of ${some.length}`;
  const repairs = tasks.filter(isRepair);
  const planned = `${done(tasks.filter((each) => !isRepair(each)))} tasks`;
  return repairs.length === 0
    ? `${planned} merged`
    : `${planned}, ${done(repairs)} ${repairs.length === 1 ? "repair" : "repairs"} merged`;
}

/** `T-004 failed twice and will be tried again`, of tasks that have no attempt under way; null: there are none. */
export function failedWords(
  { tasks }: Pick<WorkflowStatus, "tasks">,
  phase: StatusView["phase"],
): string | null {
  const failed = tasks.filter(({ state, stuckCount }) => state === "ready" && stuckCount > 0);
  const [first] = failed;
  if (first === undefined) return null;
  const others = failed.length - 1;
  const again = againWords(phase);
  if (others > 0) return `${first.id} and ${others} more failed${again}`;
  return `${first.id} ${failedTimes(first)}${again}`;
}

/** `failed twice`. */
export function failedTimes({ stuckCount }: Pick<WorkflowTask, "stuckCount">): string {
  return `failed ${TIMES[stuckCount] ?? `${stuckCount} times`}`;
}

/** The scheduler begins the next attempt by itself as long as somebody drives the plan. */
export function againWords(phase: StatusView["phase"]): string {
  return phase === "active" ? " and will be tried again by itself" : "";
}

const TIMES = ["", "once", "twice"];

export function isRepair({ id }: Pick<WorkflowTask, "id">): boolean {
  return isRemediation(id);
}
