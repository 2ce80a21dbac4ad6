import type { WorkflowTask } from "../../../../views/plan.ts";

/** Waves are layers, so a plan's graph needs no search for one. */

interface PlacedTask {
  readonly task: WorkflowTask;
  readonly x: number;
  readonly y: number;
}

interface Edge {
  readonly from: PlacedTask;
  readonly to: PlacedTask;
  /** On the longest way of what is still to do. */
  readonly isLong: boolean;
}

export interface Layout {
  readonly placed: readonly PlacedTask[];
  readonly edges: readonly Edge[];
  readonly width: number;
  readonly height: number;
  readonly waves: number;
}

export const NODE = { width: 86, height: 24, stepX: 150, stepY: 36, top: 34 } as const;

export function layoutOf(tasks: readonly WorkflowTask[]): Layout {
  const byWave = new Map<number, WorkflowTask[]>();
  for (const task of tasks) byWave.set(task.wave, [...(byWave.get(task.wave) ?? []), task]);
  const placed = new Map<string, PlacedTask>();
  let most = 1;
  for (const wave of [...byWave.keys()].toSorted((one, other) => one - other)) {
    const own = (byWave.get(wave) ?? [])
      .map((task, index) => ({ task, weight: meanOf(task, placed) ?? index * NODE.stepY }))
      .toSorted((one, other) => one.weight - other.weight);
    most = Math.max(most, own.length);
    for (const [index, { task }] of own.entries())
      placed.set(task.id, { task, x: (wave - 1) * NODE.stepX, y: NODE.top + index * NODE.stepY });
  }
  const long = longestWay(tasks);
  const edges = tasks.flatMap((task) =>
    task.blockedBy.flatMap((id): readonly Edge[] => {
      const [from, to] = [placed.get(id), placed.get(task.id)];
      return from === undefined || to === undefined
        ? []
        : [{ from, to, isLong: long.has(`${id} ${task.id}`) }];
    }),
  );
  const waves = Math.max(1, ...byWave.keys());
  return {
    placed: [...placed.values()],
    edges,
    waves,
    width: (waves - 1) * NODE.stepX + NODE.width + 64,
    height: NODE.top + most * NODE.stepY,
  };
}

/** Where a task's blockers are: beside them, few lines cross. */
function meanOf({ blockedBy }: WorkflowTask, placed: ReadonlyMap<string, PlacedTask>): number | null {
  const known = blockedBy.flatMap((id) => placed.get(id)?.y ?? []);
  return known.length === 0 ? null : known.reduce((sum, y) => sum + y, 0) / known.length;
}

/** The edges of the longest chain of tasks that aren't done. */
function longestWay(tasks: readonly WorkflowTask[]): ReadonlySet<string> {
  const open = new Map(
    tasks
      .filter(({ state }) => !["done", "skipped", "given-up"].includes(state))
      .map((task) => [task.id, task]),
  );
  const length = new Map<string, number>();
  const before = new Map<string, string>();
  for (const task of [...open.values()].toSorted((one, other) => one.wave - other.wave)) {
    let best = 0;
    for (const id of task.blockedBy) {
      const known = length.get(id) ?? 0;
      if (open.has(id) && known > best) {
        best = known;
        before.set(task.id, id);
      }
    }
    length.set(task.id, best + 1);
  }
  let [end] = [...length].toSorted((one, other) => other[1] - one[1])[0] ?? [];
  const edges = new Set<string>();
  while (end !== undefined) {
    const from = before.get(end);
    if (from !== undefined) edges.add(`${from} ${end}`);
    end = from;
  }
  return edges;
}
