import type { Plan } from "../../plan/plan.ts";
import type { DraftedPlan } from "../../plan-files/drafted-plan.ts";
import { lintPlan } from "../../plan-files/lint-plan.ts";
import { planned } from "../../plan-files/planned.ts";
import { readPlan } from "../../plan-files/read-plan.ts";
import { planMarkdown } from "../../plan-files/write-plan.ts";
import type { AllowedChecks } from "../allowed-checks.ts";
import { isAllowedCheck } from "../allowed-checks.ts";
import type { DecomposedPlan } from "./question.ts";

/** What is wrong with a model's tasks, for the model; null: they are a plan. */
export function complaintAbout(spec: string, answer: DecomposedPlan): string | null {
  const long = answer.tasks.filter(({ verify }) => verify !== null && /[\r\n]/.test(verify.trim()));
  if (long.length > 0)
    return `verify is one command line, and not several, in: ${long.map(({ id }) => id).join(", ")}.`;
  const said = errorsIn(readAnswer(spec, answer));
  // A subject may be nothing but marks, of which nothing is left in Markdown.
  const errors = said.length > 0 ? said : errorsIn(draftOf(spec, answer));
  return errors.length === 0 ? null : errors.slice(0, MOST_ISSUES).join(" ");
}

function errorsIn(draft: DraftedPlan): readonly string[] {
  return lintPlan(draft)
    .filter(({ severity }) => severity === "error")
    .map(({ text }) => text);
}

const MOST_ISSUES = 20;

/** The draft of an answer that nobody complains about: as its text in Markdown reads, so that a file of it is the same plan. */
export function draftOf(spec: string, answer: DecomposedPlan): DraftedPlan {
  return { ...readPlan(planMarkdown(readAnswer(spec, answer))), source: "agent" };
}

function readAnswer(spec: string, { tasks }: DecomposedPlan): DraftedPlan {
  return { ...readPlan(JSON.stringify({ spec, tasks }, null, 2)), source: "agent" };
}

/** A model's commands become checks only where something says that they may; the others are kept as proposals, and never run. */
export function plannedByModel(draft: DraftedPlan, { allowed, approved, timeoutMs }: CheckPolicy): Plan {
  const isApproved = (command: string): boolean => approved.has(command) || isAllowedCheck(command, allowed);
  return planned(draft, { isApproved, timeoutMs });
}

export interface CheckPolicy {
  readonly allowed: AllowedChecks;
  /** Commands whose text a person has read and approved. */
  readonly approved: ReadonlySet<string>;
  readonly timeoutMs: number;
}
