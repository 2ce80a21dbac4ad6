import type { Check } from "../loop/criterion.ts";
import { remember } from "./graph.ts";

/** Where a plan came from. A model's commands run only after a person approved their text. */
export const PLAN_SOURCES = ["file", "checklist", "agent", "task-list"] as const;
export type PlanSource = (typeof PLAN_SOURCES)[number];

/** A node of the plan's graph. */
export interface PlannedTask {
  /** Such as `T-001`; part of refs and folders. */
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  /** null: nothing shows that the task is done, and it stays unverified. */
  readonly check: Check | null;
  /** A command that was proposed for the check and that nobody has approved; shown, never run. */
  readonly proposed: string | null;
  readonly blockedBy: readonly string[];
  /** Globs of the files that the task says it touches; empty where it says nothing. */
  readonly files: readonly string[];
  /** How long one attempt is expected to take, where the plan says so. */
  readonly estimateMs: number | null;
}

export interface Plan {
  readonly source: PlanSource;
  readonly tasks: readonly PlannedTask[];
}

/** Where each task is in a plan, by its id. */
const placesIn = remember(
  (tasks: readonly PlannedTask[]) => new Map(tasks.map(({ id }, place) => [id, place])),
);

export function placeInPlan({ tasks }: Plan, id: string): number | null {
  return placesIn(tasks).get(id) ?? null;
}

export function plannedTask(plan: Plan, id: string): PlannedTask | null {
  return plan.tasks[placeInPlan(plan, id) ?? -1] ?? null;
}

const TASK_ID = /^[A-Za-z][A-Za-z0-9]{0,15}-[0-9]{1,6}$/;

export function isTaskId(text: string): boolean {
  return TASK_ID.test(text);
}

/** Tasks that only check at the end that the criteria of the whole job hold; no plan has such ids of its own. */
export const FINAL_PREFIX = "END";

export function isFinalTask(id: string): boolean {
  return id.toUpperCase().startsWith(`${FINAL_PREFIX}-`);
}
