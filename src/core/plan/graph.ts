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
  const waves = wavesOf(nodes);
  return nodes.toSorted((one, other) => (waves.get(one.id) ?? 0) - (waves.get(other.id) ?? 0));
}

/** The level of each task, from 1: one more than the highest of its blockers. The graph has no cycle. */
export function wavesOf(nodes: readonly Node[]): ReadonlyMap<string, number> {
  const ids = new Set(nodes.map(({ id }) => id));
  const blocked = new Map<string, Node[]>();
  const left = new Map<string, number>();
  for (const node of nodes) {
    const blockers = node.blockedBy.filter((id) => ids.has(id));
    left.set(node.id, blockers.length);
    for (const id of blockers) {
      const others = blocked.get(id);
      if (others === undefined) blocked.set(id, [node]);
      else others.push(node);
    }
  }
  const waves = new Map<string, number>();
  let ready: readonly Node[] = nodes.filter(({ id }) => left.get(id) === 0);
  for (let wave = 1; ready.length > 0; wave += 1) {
    for (const { id } of ready) waves.set(id, wave);
    ready = ready.flatMap(({ id }) => (blocked.get(id) ?? []).filter((each) => isFreed(each, left)));
  }
  if (waves.size < ids.size) throw new Error("waves of a graph with a cycle");
  return waves;
}

/** Whether this was the last of its blockers. */
function isFreed({ id }: Node, left: Map<string, number>): boolean {
  const count = (left.get(id) ?? 0) - 1;
  left.set(id, count);
  return count === 0;
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
