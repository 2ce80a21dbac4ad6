import type { DraftedPlan, DraftedTask } from "../../plan-files/drafted-plan.ts";
import { numberedId } from "../../plan-files/drafted-plan.ts";
import { hasErrors, lintPlan } from "../../plan-files/lint-plan.ts";
import { readPlan } from "../../plan-files/read-plan.ts";
import { oneLine } from "../../../system/text/plain-text.ts";

const LONGEST_SUBJECT = 200;
const LONGEST_DECISION = 1_000;

interface Known {
  /** The command that shows the whole; null: there is none. */
  readonly check: string | null;
  /** What the work is, where the first sentence of the spec doesn't say it. */
  readonly subject?: string | null;
  /** What was decided since the spec was written. */
  readonly decided?: readonly string[];
}

/** The tasks that a spec names itself, without a model: those of its checklist, otherwise all of it as one task. */
export function ownTasks(spec: string, { check, subject = null, decided = [] }: Known): DraftedPlan {
  const draft = readPlan(spec);
  if (draft.tasks.length > 0 && !hasErrors(lintPlan(draft)))
    return { ...draft, tasks: draft.tasks.map((task) => withDecisions(task, decided)) };
  const [first = ""] = spec.trim().split(/\n|(?<=[.!?])\s/);
  const what = subject ?? first.replace(/^#+\s*/, "").replace(/[.!?]$/, "");
  const task: DraftedTask = {
    id: numberedId(1),
    line: 1,
    subject: oneLine(decided.length === 0 ? what : `${what} (${decided.join("; ")})`, LONGEST_SUBJECT),
    description: spec.trim(),
    verify: check === null ? null : { command: check, line: 1, isProposed: false },
    blockers: [],
    files: [],
    estimateMs: null,
  };
  return {
    source: "checklist",
    preface: spec.trim(),
    tasks: [withDecisions(task, decided)],
    done: [],
    issues: [],
  };
}

function withDecisions(task: DraftedTask, decided: readonly string[]): DraftedTask {
  if (decided.length === 0) return task;
  const lines = decided.map((each) => `- ${oneLine(each, LONGEST_DECISION)}`).join("\n");
  const description = `${task.description}\n\nDecided since, and what counts where the two differ:\n${lines}`;
  return { ...task, description: description.trim() };
}
