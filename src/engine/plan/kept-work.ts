import type { LoopId } from "../../core/loop/id.ts";
import type { Attempt } from "../../core/plan/workflow.ts";
import { treeOf } from "../../worktrees/integration/repository.ts";
import { keptAttempt } from "../../worktrees/attempts/kept-attempt.ts";

/** The command that shows the files of an attempt whose work isn't merged; null: nothing of it is kept, or it changed nothing. */
export async function keptWork(
  root: string,
  loop: LoopId,
  { task, number, base, state }: Attempt,
): Promise<string | null> {
  if (base === null || state.type === "integrated") return null;
  const commit = await keptAttempt(root, { loop, task, number });
  if (commit === null || commit === base) return null;
  const trees = await Promise.all([base, commit].map(async (each) => treeOf(root, each)));
  return trees[0] === trees[1] ? null : `git diff ${base.slice(0, 12)} ${commit.slice(0, 12)}`;
}
