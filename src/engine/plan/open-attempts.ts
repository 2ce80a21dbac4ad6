import { isEnded, begunIteration, type Loop } from "../../core/loop/loop.ts";
import { running, attemptsOf, type Attempt } from "../../core/plan/workflow.ts";
import { inspectLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { Project } from "../../storage/home/project.ts";
import type { LiveLoop } from "../../storage/loops/live-loop.ts";
import { isAncestor } from "../../worktrees/integration/branch.ts";
import { refCommit } from "../../worktrees/checkpoints/refs.ts";
import type { LoopId } from "../../core/loop/id.ts";
import { treeOf } from "../../worktrees/integration/repository.ts";
import { keptAttempt } from "../../worktrees/attempts/list-worktrees.ts";

/** The loop with what its open attempts have spent so far, which is charged to it when they end. */
export async function withOpenSpend(machine: Machine, project: Project, loop: Loop): Promise<Loop> {
  if (loop.workflow === null || isEnded(loop)) return loop;
  let { spend } = loop;
  for (const { loop: id } of running(loop.workflow)) {
    const found = await inspectLoop(machine, project, id).catch(() => null);
    if (found?.type !== "loop") continue;
    const { usd, tokens, priced, told } = found.live.loop.spend;
    spend = {
      usd: spend.usd + usd,
      tokens: spend.tokens + tokens,
      priced: spend.priced && priced,
      told: spend.told && told,
    };
  }
  return spend === loop.spend ? loop : { ...loop, spend };
}

/** How many iterations each attempt at a task took, by its number; those whose journal can't be read are left out. */
export async function attemptIterations(
  machine: Machine,
  { loop, project }: LiveLoop,
  task: string,
): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>();
  for (const attempt of loop.workflow === null ? [] : attemptsOf(loop.workflow, task)) {
    const own = await inspectLoop(machine, project, attempt.loop).catch(() => null);
    if (own?.type === "loop") found.set(attempt.number, begunIteration(own.live.loop));
  }
  return found;
}

/** The loop as it is now: work that was left on its branch may have been merged by the user since. */
export async function withTakenWork(root: string, loop: Loop): Promise<Loop> {
  const { workflow, commit } = loop;
  if (commit?.branch != null)
    return (await import("../run/taken-commit.ts")).withTakenCommit(root, loop, commit);
  if (workflow?.branch == null || workflow.delivered?.how !== "left") return loop;
  const { tip, userBranch } = workflow.branch;
  const now = await refCommit(root, userBranch === null ? "HEAD" : `refs/heads/${userBranch}`);
  if (now === null || !(await isAncestor(root, tip, now))) return loop;
  return { ...loop, workflow: { ...workflow, deliveredFrom: null, delivered: { how: "moved", why: null } } };
}

/** The command that shows the files of an attempt whose work isn't merged; null: nothing of it is kept, or it changed nothing. */
export async function keptWork(
  root: string,
  loop: LoopId,
  { task, number, base, state }: Pick<Attempt, "task" | "number" | "base" | "state">,
): Promise<string | null> {
  if (base === null || state.type === "integrated") return null;
  const commit = await keptAttempt(root, { loop, task, number });
  if (commit === null || commit === base) return null;
  const trees = await Promise.all([base, commit].map(async (each) => treeOf(root, each)));
  return trees[0] === trees[1] ? null : `git diff ${base.slice(0, 12)} ${commit.slice(0, 12)}`;
}
