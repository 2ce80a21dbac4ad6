import type { Check } from "../../criterion.ts";
import type { Loop } from "../../loop.ts";
import { describeMustNot } from "../../loop.ts";

/** Something that the work is held to, under the short name that a reviewer uses. */
export interface Demand {
  /** `C-1` for a criterion or a task, `M-1` for a must-not. */
  readonly id: string;
  readonly text: string;
  /** What shows it; null: nothing does. */
  readonly check: Check | null;
}

const MOST_DEMANDS = 120;

/** The criteria that were agreed, the tasks of the plan, and the must-nots. */
export function demandsOf({ workflow, stages, mustNots }: Loop): readonly Demand[] {
  const tasks = workflow?.plan.tasks ?? [];
  const agreed = (stages?.shape?.criteria ?? []).map(({ name, check }) => ({ text: name, check }));
  const planned = tasks.map(({ id, subject, check }) => ({ text: `${id}: ${subject}`, check }));
  const criteria = [...agreed, ...planned].slice(0, MOST_DEMANDS);
  return [
    ...criteria.map((each, index) => ({ ...each, id: `C-${index + 1}` })),
    ...mustNots.map((each, index) => ({
      id: `M-${index + 1}`,
      text: describeMustNot(each),
      check: each.kind === "run" ? each.check : null,
    })),
  ];
}
