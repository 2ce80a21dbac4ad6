import type { PlannedTask } from "./plan.ts";

/** What the graph's functions need of a task. */
export interface Node {
  readonly id: string;
  readonly blockedBy: readonly string[];
}

/** The tasks of one cycle, in order; null when there is none. Blockers that aren't tasks are ignored. */
export function findCycle(nodes: readonly Node[]): readonly string[] | null {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const done = new Set<string>();
  for (const start of nodes) {
    const cycle = cycleFrom(start, byId, done);
    if (cycle !== null) return cycle;
  }
  return null;
}

/** Depth first with a stack of its own: a chain may be longer than the call stack. */
function cycleFrom(
  start: Node,
  byId: ReadonlyMap<string, Node>,
  done: Set<string>,
): readonly string[] | null {
  const path: { readonly node: Node; next: number }[] = [];
  const onPath = new Set<string>();
  const enter = (node: Node): void => {
    path.push({ node, next: 0 });
    onPath.add(node.id);
  };
  if (!done.has(start.id)) enter(start);
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const blocker = byId.get(top.node.blockedBy[top.next] ?? "");
    if (top.next >= top.node.blockedBy.length) {
      done.add(top.node.id);
      onPath.delete(top.node.id);
      path.pop();
      continue;
    }
    top.next += 1;
    if (blocker === undefined || done.has(blocker.id)) continue;
    if (onPath.has(blocker.id)) {
      const ids = path.map(({ node }) => node.id);
      return ids.slice(ids.indexOf(blocker.id));
    }
    enter(blocker);
  }
  return null;
}

/** Blockers before those whom they block. The graph has no cycle. */
export function inOrder<Task extends Node>(nodes: readonly Task[]): readonly Task[] {
  return inWaves(nodes).flat();
}

/** The tasks of each wave, from the first wave on. The graph has no cycle. */
export function inWaves<Task extends Node>(nodes: readonly Task[]): readonly (readonly Task[])[] {
  const levels = wavesOf(nodes);
  const waves: Task[][] = [];
  for (const node of nodes) (waves[(levels.get(node.id) ?? 1) - 1] ??= []).push(node);
  return waves;
}

/** The level of each task, from 1: one more than the highest of its blockers. The graph has no cycle. */
export const wavesOf = remember((nodes: readonly Node[]): ReadonlyMap<string, number> => {
  const levels = new Map(nodes.map(({ id }) => [id, 1]));
  const blockersLeft = new Map<string, number>();
  const blocked = new Map<string, string[]>();
  for (const { id, blockedBy } of nodes) {
    const blockers = blockedBy.filter((each) => levels.has(each));
    blockersLeft.set(id, blockers.length);
    for (const each of blockers) append(blocked, each, id);
  }
  const free = nodes.map(({ id }) => id).filter((id) => blockersLeft.get(id) === 0);
  for (const id of free) {
    for (const next of blocked.get(id) ?? []) {
      levels.set(next, Math.max(levels.get(next) ?? 1, (levels.get(id) ?? 0) + 1));
      const left = (blockersLeft.get(next) ?? 0) - 1;
      blockersLeft.set(next, left);
      if (left === 0) free.push(next);
    }
  }
  if (free.length < levels.size) throw new Error("waves of a graph with a cycle");
  return levels;
});

/** The waves of a graph that nobody has checked. With a cycle, no task has a level. */
export function wavesIfSound(nodes: readonly Node[]): ReadonlyMap<string, number> {
  return findCycle(nodes) === null ? wavesOf(nodes) : new Map();
}

/** From each task to the end of the longest chain that it blocks, its own length included. The graph has no cycle. */
export function remainingPaths<Task extends Node>(
  nodes: readonly Task[],
  lengthOf: (task: Task) => number,
): ReadonlyMap<string, number> {
  const after = new Map<string, number>();
  const lengths = new Map<string, number>();
  for (const node of inOrder(nodes).toReversed()) {
    const length = lengthOf(node) + (after.get(node.id) ?? 0);
    lengths.set(node.id, length);
    for (const id of node.blockedBy) after.set(id, Math.max(after.get(id) ?? 0, length));
  }
  return lengths;
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** A function that works out each answer once, for as long as what it was asked about is around. */
export function remember<Key extends object, Answer>(answer: (key: Key) => Answer): (key: Key) => Answer {
  const known = new WeakMap<Key, { readonly answer: Answer }>();
  return (key) => {
    const found = known.get(key) ?? { answer: answer(key) };
    known.set(key, found);
    return found.answer;
  };
}

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
