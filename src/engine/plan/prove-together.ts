import type { LoopEvent } from "../../core/events/event.ts";
import { describeCheck } from "../../core/loop/criterion.ts";
import {
  isDone,
  isGivenUp,
  isSettled,
  waves,
  type AcceptedResult,
  type MergeCheck,
  type Workflow,
} from "../../core/plan/workflow.ts";
import type { NamedCheck } from "../../verify/checks/run-checks.ts";
import { moveBranch } from "../../worktrees/integration/branch.ts";
import { passedAs } from "./merge-results.ts";
import { checksOfTasks, runTwice, type RedCheck } from "./plan-checks.ts";
import { workflowOf, type WorkflowContext } from "./take-workflow.ts";

/** What the checks of all tasks on the branch came to, as events. */
interface Proven {
  readonly events: readonly LoopEvent[];
  readonly checks: readonly MergeCheck[];
}

const NOTHING: Proven = { events: [], checks: [] };

/**
 * At the end of a wave, whose merges ran the checks of those tasks only that they may concern: runs all of them. If some fail, it looks for
 * the last commit where they passed, and what was merged after it is merged again, with these checks each time: so whoever broke them is
 * found and set back as always. null: somebody stopped it.
 */
export async function proveTogether(
  context: WorkflowContext,
  accepted: readonly AcceptedResult[],
  signal: AbortSignal,
): Promise<Proven | null> {
  const workflow = workflowOf(context.live.loop);
  const tip = accepted.at(-1)?.commit ?? null;
  if (tip === null || !endsWave(workflow, accepted)) return NOTHING;
  const fresh = new Set(accepted.map(({ task }) => task));
  const tasks = workflow.plan.tasks.filter(({ id }) => fresh.has(id) || isDone(workflow, id));
  const checks = checksOfTasks(tasks);
  const looked = await runOn(context, tip, checks, signal);
  if (signal.aborted) return null;
  if (looked === null) return NOTHING;
  if (looked.red.length === 0)
    return { events: [{ type: "work.checked", commit: tip }], checks: looked.passed };
  const merged = [...workflow.unproven, ...accepted];
  const good = await lastGood(context, merged, looked.red, signal);
  if (good === null) return null;
  const undone = merged.slice(good + 1);
  const to = merged[good]?.commit ?? workflow.proven ?? tip;
  const suspects = looked.red.map(({ named }) => named.name);
  return {
    events: [{ type: "merge.undone", to, tasks: undone.map(({ task }) => task), suspects }],
    checks: [],
  };
}

/** Whether nothing of a wave is left to do once these are accepted. */
function endsWave(workflow: Workflow, accepted: readonly AcceptedResult[]): boolean {
  const fresh = new Set(accepted.map(({ task }) => task));
  return waves(workflow.plan).some(
    (wave) =>
      wave.some(({ id }) => fresh.has(id)) &&
      wave.every(({ id }) => fresh.has(id) || isSettled(workflow, id) || isGivenUp(workflow, id)),
  );
}

interface Looked {
  readonly red: readonly RedCheck[];
  readonly passed: readonly MergeCheck[];
}

/** Null: there is no place to run them, which the gate says. */
async function runOn(
  context: WorkflowContext,
  commit: string,
  checks: readonly NamedCheck[],
  signal: AbortSignal,
): Promise<Looked | null> {
  const place = await context.workspace.siteAt(commit, signal);
  if (place.type !== "ready") return null;
  const { ran, red } = await runTwice(context, place.site, checks, signal);
  return { red, passed: checks.flatMap((each) => passedAs(ran, each)) };
}

/** The place of the last result, of which the next one is followed by a failure; -1: before the first. null: somebody stopped it. */
async function lastGood(
  context: WorkflowContext,
  merged: readonly AcceptedResult[],
  red: readonly RedCheck[],
  signal: AbortSignal,
): Promise<number | null> {
  const { plan } = workflowOf(context.live.loop);
  const later = new Map(merged.map(({ task }, place) => [task, place]));
  /** From which place on a check has to pass: the first at which a task is there that has it. */
  const places = red.map(({ named }) => {
    const line = describeCheck(named.check);
    const owners = plan.tasks.filter(({ check }) => check !== null && describeCheck(check) === line);
    return { named, from: Math.min(...owners.map(({ id }) => later.get(id) ?? -1)) };
  });
  let good = -1;
  let bad = merged.length - 1;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    const commit = merged[middle]?.commit ?? null;
    const due = places.filter(({ from }) => from <= middle).map(({ named }) => named);
    const looked = commit === null || due.length === 0 ? null : await runOn(context, commit, due, signal);
    if (signal.aborted) return null;
    if (looked === null || looked.red.length === 0) good = middle;
    else bad = middle;
  }
  return good;
}

/** The branch goes back to where the journal says that it is; a run may have been killed before. */
export async function putBranchBack({ live }: WorkflowContext): Promise<void> {
  const { branch, undone } = workflowOf(live.loop);
  if (branch === null || undone === null) return;
  // If it stands elsewhere, it is back already, or the next merge says so.
  await moveBranch({ root: live.project.root, name: branch.name, ...undone });
}
