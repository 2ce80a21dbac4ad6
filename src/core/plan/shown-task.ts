import { describeCheck } from "../criterion.ts";
import type { Confidence } from "../loop.ts";
import type { Workflow } from "./workflow.ts";
import { lastAttempt } from "./workflow.ts";

/** How far a task on the loop's branch is shown to be done. */
export interface ShownTask {
  readonly confidence: Confidence;
  /** Why its checks may show less than they seem to; with one of these it isn't verified. */
  readonly doubts: readonly string[];
}

export const NOT_SHOWN: ShownTask = { confidence: "unverified", doubts: [] };

export const FLAKY = "is flaky: it failed and passed on the same files";

/** null: it isn't done. */
export function shownTask(workflow: Workflow, task: string): ShownTask | null {
  const state = lastAttempt(workflow, task)?.state;
  if (state?.type !== "integrated") return null;
  const doubts = [...state.doubts, ...flakyCheck(workflow, task)];
  const isDoubtful = state.confidence === "verified" && doubts.length > 0;
  return { confidence: isDoubtful ? "weak" : state.confidence, doubts };
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
