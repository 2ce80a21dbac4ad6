import type { PlanSource, Plan } from "../plan/plan.ts";
import { inOrder, type Node } from "../plan/graph.ts";

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

interface Approval {
  /** Which commands were approved. The others are kept as proposals: shown, never run. */
  readonly isApproved: (command: string) => boolean;
  /** How long each check may take. */
  readonly timeoutMs: number;
  /** Tasks whose check may be missing until the work has created what it calls. */
  readonly notYet?: readonly string[];
}

/** The plan that a text without errors asks for. Tasks that are done are left out, and block nobody. */
export function planned(
  { source, tasks, done }: DraftedPlan,
  { isApproved, timeoutMs, notYet = [] }: Approval,
): Plan {
  const doneIds = new Set(done.map(({ id }) => id));
  return {
    source,
    tasks: tasks.map(({ id, subject, description, verify, blockers, files, estimateMs }) => ({
      id,
      subject,
      description,
      check:
        verify !== null && isApproved(verify.command)
          ? {
              command: { kind: "shell", line: verify.command },
              timeoutMs,
              passEnv: [],
              ...(notYet.includes(id) ? { use: "not-yet" } : {}),
            }
          : null,
      proposed: verify === null || isApproved(verify.command) ? null : verify.command,
      blockedBy: blockers.map((each) => each.id).filter((each) => !doneIds.has(each)),
      files,
      estimateMs,
    })),
  };
}

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
