import type { Node } from "../plan/graph.ts";
import { inOrder } from "../plan/graph.ts";

/** More tasks than these are proposed as several plans. */
export const LARGEST_PLAN = 25;

/**
 * Plans of at most 25 tasks, by their ids, in an order in which none waits for a later one; null where one is enough. What hangs
 * together stays together as far as it fits. The graph has no cycle.
 */
export function proposeSplit(tasks: readonly Node[]): readonly (readonly string[])[] | null {
  if (tasks.length <= LARGEST_PLAN) return null;
  const plans: string[][] = [];
  for (const component of components(tasks)) {
    const ids = inOrder(component).map(({ id }) => id);
    const room =
      ids.length < LARGEST_PLAN ? plans.find((plan) => plan.length + ids.length <= LARGEST_PLAN) : undefined;
    if (room === undefined) plans.push(...slices(ids));
    else room.push(...ids);
  }
  return plans;
}

function slices(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / LARGEST_PLAN);
  return Array.from({ length: count }, (_, index) =>
    ids.slice(index * LARGEST_PLAN, (index + 1) * LARGEST_PLAN),
  );
}

/** Tasks that hang together, in the order of their first. */
function components(tasks: readonly Node[]): readonly (readonly Node[])[] {
  const leaders = new Map(tasks.map(({ id }) => [id, id]));
  const leaderOf = (id: string): string => {
    let leader = id;
    for (let next = leaders.get(leader); next !== undefined && next !== leader; next = leaders.get(leader))
      leader = next;
    leaders.set(id, leader);
    return leader;
  };
  for (const { id, blockedBy } of tasks)
    for (const blocker of blockedBy) if (leaders.has(blocker)) leaders.set(leaderOf(blocker), leaderOf(id));
  const groups = new Map<string, Node[]>();
  for (const task of tasks) {
    const leader = leaderOf(task.id);
    const group = groups.get(leader);
    if (group === undefined) groups.set(leader, [task]);
    else group.push(task);
  }
  return [...groups.values()];
}
