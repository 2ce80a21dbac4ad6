import type { PlanSource } from "../plan/plan.ts";

/** What is wrong with a plan. An error stops; a warning is shown. */
export interface PlanIssue {
  /** From 1; in a task list, the task's number. */
  readonly line: number;
  readonly severity: "error" | "warning";
  readonly text: string;
}

/** A task as a text says it, with the lines that say so. Nothing in it has been approved. */
export interface DraftedTask {
  readonly id: string;
  readonly line: number;
  readonly subject: string;
  readonly description: string;
  readonly verify: {
    readonly command: string;
    readonly line: number;
    /** A model wrote it, and nobody has made it their own. */
    readonly isProposed: boolean;
  } | null;
  readonly blockers: readonly { readonly id: string; readonly line: number }[];
  readonly files: readonly string[];
  readonly estimateMs: number | null;
}

export interface DraftedPlan {
  readonly source: PlanSource;
  /** It was written as JSON, which has other fields than lines. */
  readonly isJson?: true;
  /** What the text says before its first task. */
  readonly preface: string;
  readonly tasks: readonly DraftedTask[];
  /** Tasks that are marked as done. They aren't planned, and block nobody. */
  readonly done: readonly DraftedTask[];
  /** What could not be read; `lintPlan` adds what does not fit together. */
  readonly issues: readonly PlanIssue[];
}

export function numberedId(number: number): string {
  return `T-${String(number).padStart(3, "0")}`;
}
