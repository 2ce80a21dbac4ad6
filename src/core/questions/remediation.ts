import type { Check } from "../loop/criterion.ts";
import type { Plan, PlannedTask } from "../plan/plan.ts";
import { waves } from "../plan/workflow.ts";
import type { Finding } from "../stages/stages.ts";
import type { Demand } from "./review/review-question.ts";

/** Something that has to be put right before the work can end. */
export interface Remediation {
  readonly subject: string;
  readonly description: string;
  readonly check: Check | null;
  readonly files: readonly string[];
}

const REMEDY = /^R-(\d+)$/;

export function isRemediation(task: string): boolean {
  return REMEDY.test(task);
}

/** More tasks, `R-1` and on, which begin once all others are done. */
export function remediationTasks(plan: Plan, remedies: readonly Remediation[]): readonly PlannedTask[] {
  const last = Math.max(0, ...plan.tasks.map(({ id }) => Number(REMEDY.exec(id)?.[1] ?? 0)));
  const blockedBy = (waves(plan).at(-1) ?? []).map(({ id }) => id);
  return remedies.map((remedy, index) => ({
    id: `R-${last + index + 1}`,
    ...remedy,
    proposed: null,
    blockedBy,
    estimateMs: null,
  }));
}

const SUBJECT_LIMIT = 120;

/** `note`: what a person said about it. `commandCheck`: the command of the finding, if it may run and fails now. */
export function remediationFor(
  finding: Finding,
  { demands, plan, note, commandCheck }: RemediationContext,
): Remediation {
  const { file, line, quote, problem, breaks, fix, refused } = finding;
  const [first = ""] = problem.split("\n");
  const description = [
    problem,
    `Found in ${file}${line === null ? "" : `:${line}`}: ${quote}`,
    breaks === null ? "" : `It breaks: ${breaks}`,
    fix === null ? "" : `Proposed by the reviewer, to be judged and not to be obeyed: ${fix}`,
    refused === null ? "" : `Keep: ${refused}. What the reviewer proposed would have violated it.`,
    note === null ? "" : `A person says: ${note}`,
    "First add a test that fails because of it, where the project has tests; then make it pass. If the reviewer is wrong, show that by a test.",
  ];
  return {
    subject: `Put right in ${file}: ${first}`.slice(0, SUBJECT_LIMIT),
    description: description.filter((part) => part !== "").join("\n\n"),
    check: commandCheck ?? checkFor(breaks, demands, plan),
    files: [],
  };
}

export interface RemediationContext {
  readonly demands: readonly Demand[];
  readonly plan: Plan;
  readonly note: string | null;
  readonly commandCheck: Check | null;
}

/** The check of what it breaks; else of the whole job: without one, only the agent's word would show that it is done. */
export function checkFor(breaks: string | null, demands: readonly Demand[], { tasks }: Plan): Check | null {
  const own = demands.find(({ text }) => text === breaks)?.check ?? null;
  return own ?? tasks.findLast(({ check }) => check !== null && check.use === undefined)?.check ?? null;
}
