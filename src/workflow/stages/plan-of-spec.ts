import { topFrame } from "../../core/loop.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { checkOfCommand } from "../../judgement/shape/find-check.ts";
import { readPlan } from "../../plans/read-plan.ts";
import { planned } from "../../plans/planned.ts";
import { hasErrors, lintPlan } from "../../plans/lint-plan.ts";
import { wholeWords } from "../../text/plain-text.ts";
import type { Decompose } from "./decompose.ts";
import { stagesOf } from "./stage-context.ts";

/** The spec's own list of tasks; without one, all of it is one task. */
export const planOfSpec: Decompose = async ({ loop, facts }) => {
  const { spec, criteria } = topFrame(loop);
  const { wishes } = stagesOf(loop);
  const draft = readPlan(spec);
  if (draft.tasks.length > 0 && !hasErrors(lintPlan(draft))) {
    const plan = planned(draft, { isApproved: false, timeoutMs: wishes.checkTimeoutMs });
    const tasks = plan.tasks.map((task) => {
      const check = task.proposed === null ? null : checkOfCommand(task.proposed, facts, wishes);
      return check === null ? task : { ...task, check, proposed: null };
    });
    return { plan: { ...plan, tasks }, notes: [] };
  }
  const check = criteria.find((each) => each.check !== null)?.check ?? null;
  const plan: Plan = {
    source: "checklist",
    tasks: [
      {
        id: "T-001",
        subject: wholeWords(spec, 120),
        description: spec,
        check,
        proposed: null,
        blockedBy: [],
        files: [],
        estimateMs: null,
      },
    ],
  };
  return { plan, notes: [] };
};
