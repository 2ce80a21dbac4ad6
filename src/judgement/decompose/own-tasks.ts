import type { DraftedPlan, DraftedTask } from "../../plans/drafted-plan.ts";
import { numberedId } from "../../plans/drafted-plan.ts";
import { hasErrors, lintPlan } from "../../plans/lint-plan.ts";
import { readPlan } from "../../plans/read-plan.ts";
import { oneLine } from "../../text/plain-text.ts";

const LONGEST_SUBJECT = 200;

/**
 * The tasks that a spec names itself, without a model: those of its checklist, otherwise all of it as one task. `check`: the command
 * that shows the whole, if the project has one.
 */
export function ownTasks(spec: string, check: string | null): DraftedPlan {
  const draft = readPlan(spec);
  if (draft.tasks.length > 0 && !hasErrors(lintPlan(draft))) return draft;
  const [first = ""] = spec.trim().split(/\n|(?<=[.!?])\s/);
  const task: DraftedTask = {
    id: numberedId(1),
    line: 1,
    subject: oneLine(first.replace(/^#+\s*/, "").replace(/[.!?]$/, ""), LONGEST_SUBJECT),
    description: spec.trim(),
    verify: check === null ? null : { command: check, line: 1 },
    blockers: [],
    files: [],
    estimateMs: null,
  };
  return { source: "checklist", preface: spec.trim(), tasks: [task], done: [], issues: [] };
}
