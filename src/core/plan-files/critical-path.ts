import type { PlannedTask } from "../plan/plan.ts";
import { remainingPaths } from "../plan/graph.ts";

export interface CriticalPath {
  /** One after the other, first to last. */
  readonly ids: readonly string[];
  /** How long they take together; null where no task has an estimate. */
  readonly estimateMs: number | null;
}

type Sized = Pick<PlannedTask, "id" | "blockedBy" | "estimateMs">;

/** The chain that takes longest, however many tasks run at once. A task without an estimate counts as the average of the others. */
export function criticalPath(tasks: readonly Sized[]): CriticalPath {
  const estimates = tasks.flatMap(({ estimateMs }) => estimateMs ?? []);
  const average = estimates.reduce((sum, each) => sum + each, 0) / Math.max(1, estimates.length);
  const remaining = remainingPaths(tasks, ({ estimateMs }) => estimateMs ?? (average || 1));
  const blocked = new Map<string, Sized[]>();
  for (const task of tasks)
    for (const id of task.blockedBy) {
      const others = blocked.get(id);
      if (others === undefined) blocked.set(id, [task]);
      else others.push(task);
    }
  const longest = (among: readonly Sized[]): Sized | undefined =>
    among.reduce<Sized | undefined>(
      (best, each) =>
        best === undefined || (remaining.get(each.id) ?? 0) > (remaining.get(best.id) ?? 0) ? each : best,
      undefined,
    );
  const ids: string[] = [];
  const first = longest(tasks);
  for (let task = first; task !== undefined; task = longest(blocked.get(task.id) ?? [])) ids.push(task.id);
  const total = first === undefined ? 0 : (remaining.get(first.id) ?? 0);
  return { ids, estimateMs: estimates.length === 0 ? null : total };
}
