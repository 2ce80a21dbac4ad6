import { describeCheck } from "../loop/criterion.ts";
import { isFinalTask, type Plan, type PlannedTask } from "../plan/plan.ts";
import { numberedId, type DraftedTask, type PlanIssue } from "./drafted-plan.ts";
import { lintPlan } from "./lint-plan.ts";

/** What a person says about a task. What isn't there stays as it is. */
export interface TaskWords {
  readonly subject?: string;
  readonly description?: string;
  /** The command of its check. */
  readonly verify?: string;
  readonly blockedBy?: readonly string[];
  readonly files?: readonly string[];
}

const NUMBERED = /^T-(\d+)$/;

/** The next free number. */
export function nextTaskId({ tasks }: Plan): string {
  return numberedId(1 + Math.max(0, ...tasks.map(({ id }) => Number(NUMBERED.exec(id)?.[1] ?? 0))));
}

export function emptyTask(id: string): PlannedTask {
  return {
    id,
    subject: "",
    description: "",
    check: null,
    proposed: null,
    blockedBy: [],
    files: [],
    estimateMs: null,
  };
}

/** `timeoutMs`: how long its check may take, if it has a new one. */
export function withWords(task: PlannedTask, words: TaskWords, timeoutMs: number): PlannedTask {
  const { verify, ...rest } = words;
  if (verify === undefined) return { ...task, ...rest };
  const check = { command: { kind: "shell", line: verify }, timeoutMs, passEnv: [] } as const;
  return { ...task, ...rest, check, proposed: null };
}

/** All that is wrong with a task, in the plan that it would be part of. That it has no check is for the caller to say. */
export function lintTask({ source, tasks }: Plan, changed: PlannedTask, spec: string): readonly PlanIssue[] {
  const others = tasks.filter(({ id }) => id !== changed.id && !isFinalTask(id));
  const drafted = [changed, ...others].map(draftOf);
  const issues = lintPlan({ source, preface: spec, tasks: drafted, done: [], issues: [] }, spec);
  return issues.filter(({ line }) => line === 1);
}

/** The changed task comes first, because a cycle is reported at its lowest line. */
function draftOf({ check, blockedBy, ...task }: PlannedTask, index: number): DraftedTask {
  const line = index + 1;
  const command = check === null ? "" : describeCheck(check);
  return {
    ...task,
    line,
    verify: { command, line, isProposed: false },
    blockers: blockedBy.map((id) => ({ id, line })),
  };
}
