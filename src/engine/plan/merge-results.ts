import {
  isDone,
  lastAttempt,
  type Attempt,
  type MergeCheck,
  type Setback,
  type Workflow,
} from "../../core/plan/workflow.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { Examination, NamedCheck } from "../../verify/checks/run-checks.ts";
import { commitOnto, type Trailers } from "../../worktrees/integration/branch.ts";
import { refCommit } from "../../worktrees/checkpoints/refs.ts";
import { mergeResult, revertedFiles } from "../../worktrees/integration/merge-result.ts";
import { checksOfTasks, redText, runTwice } from "./plan-checks.ts";
import { pauseBlocked, taskOf, workflowOf, type WorkflowContext } from "./take-workflow.ts";

const LONGEST_SUBJECT = 250;

/** What became of results that were merged together. */
export interface MergeOutcome {
  readonly accepted: readonly { readonly task: string; readonly commit: string | null }[];
  readonly setBack: readonly { readonly task: string; readonly setback: Setback }[];
  readonly checks?: readonly MergeCheck[];
}

/** One commit a task, each on top of the one before. null: git can't, and the loop is paused. */
export async function mergeAll(
  context: WorkflowContext,
  tasks: readonly string[],
  onto: string,
): Promise<MergeOutcome | null> {
  const { root } = context.live.project;
  const workflow = workflowOf(context.live.loop);
  const accepted: { readonly task: string; readonly commit: string }[] = [];
  const setBack: { readonly task: string; readonly setback: Setback }[] = [];
  let tip = onto;
  for (const task of tasks) {
    const attempt = finishedAttempt(workflow, task);
    if (attempt.commit === attempt.base) {
      accepted.push({ task, commit: tip });
      continue;
    }
    const stateHome = context.machine.home;
    const merged = await mergeResult({ root, stateHome, tip, base: attempt.base, result: attempt.commit });
    if (merged.type === "failed") {
      if ((await refCommit(root, attempt.commit)) !== null) return pauseMerge(context, task, merged.why);
      setBack.push({ task, setback: { kind: "lost", detail: merged.why, carry: null, failing: [] } });
      continue;
    }
    const trailers = trailersOf(context, task, attempt);
    const { subject } = taskOf(context, task);
    const message = oneLine(`${task}: ${subject}`, LONGEST_SUBJECT);
    const made = await commitOnto({ root, tip, tree: merged.tree, message, trailers });
    if (made.type === "failed") return pauseMerge(context, task, made.why);
    if (merged.type === "conflict") {
      const detail = `Conflicts in ${merged.files.join(", ")}.\n${merged.messages.join("\n")}`;
      setBack.push({ task, setback: { kind: "conflict", detail, carry: made.commit, failing: [] } });
      continue;
    }
    const reverted = await revertedFiles({
      root,
      from: workflow.branch?.from ?? onto,
      tip,
      tree: merged.tree,
    });
    if (reverted !== null && reverted.length > 0)
      context.tell({ type: "reverted", task, files: reverted.map(({ path }) => path) });
    accepted.push({ task, commit: made.commit });
    tip = made.commit;
  }
  return { accepted, setBack };
}

async function pauseMerge(context: WorkflowContext, task: string, why: string): Promise<null> {
  await pauseBlocked(context, `${task} can't be merged: ${why}`);
  return null;
}

interface FinishedAttempt extends Attempt {
  readonly base: string;
  readonly commit: string;
}

export function finishedAttempt(workflow: Workflow, task: string): FinishedAttempt {
  const last = lastAttempt(workflow, task);
  if (last?.state.type !== "finished" || last.base === null || last.state.commit === null)
    throw new Error(`${task} has no result to merge`);
  return { ...last, base: last.base, commit: last.state.commit };
}

function trailersOf({ live }: WorkflowContext, task: string, { number }: Attempt): Trailers {
  return { Loop: live.id, "Loop-Task": task, "Loop-Attempt": String(number) };
}

type Examined =
  | { readonly type: "green"; readonly checks: readonly MergeCheck[] }
  /** `failing`: the tasks whose checks don't pass there. */
  | { readonly type: "red"; readonly detail: string; readonly failing: readonly string[] };

/** Results, one commit each on top of the one before, that nobody has looked at together. */
export interface Merged {
  readonly accepted: readonly { readonly task: string; readonly commit: string | null }[];
  readonly onto: string;
  /** Tasks that are on that commit, although the journal doesn't say so yet. */
  readonly before: readonly string[];
}

/** Runs the checks of these tasks, and of all that were merged before, on the merged files. */
export async function examine(
  context: WorkflowContext,
  merged: Merged,
  signal: AbortSignal,
): Promise<Examined | null> {
  const { accepted } = merged;
  const workflow = workflowOf(context.live.loop);
  const commit = accepted.at(-1)?.commit ?? null;
  if (commit === null) return { type: "green", checks: [] };
  const checks = checksOf(workflow, merged);
  if (checks.length === 0 || (await context.workspace.wasChecked(workflow, merged, checks)))
    return { type: "green", checks: [] };
  const place = await context.workspace.siteAt(commit, signal);
  if (signal.aborted) return null;
  if (place.type === "no-setup")
    return { type: "red", detail: `Setup failed after the merge: ${place.why}`, failing: [] };
  if (place.type === "failed") {
    await pauseBlocked(context, `The merge can't be checked: ${place.why}`);
    return null;
  }
  const { ran, red } = await runTwice(context, place.site, checks, signal);
  if (signal.aborted) return null;
  if (red.length === 0) return { type: "green", checks: checks.flatMap((each) => passedAs(ran, each)) };
  return { type: "red", detail: red.map(redText).join("\n"), failing: red.map(({ named }) => named.name) };
}

/** One that failed first and passed then has wavered, which the journal says by itself. */
function passedAs({ evidence }: Examination, { name }: NamedCheck): readonly MergeCheck[] {
  const shown = evidence.get(name);
  if (shown?.passed !== true) return [];
  return [{ task: name, command: shown.command, exitCode: shown.exitCode, durationMs: shown.durationMs }];
}

/** Each command once: that of the tasks, then those of the tasks that were merged before. */
function checksOf(workflow: Workflow, { accepted, before }: Merged): readonly NamedCheck[] {
  const { plan } = workflow;
  const fresh = new Set(accepted.map(({ task }) => task));
  return checksOfTasks([
    ...plan.tasks.filter(({ id }) => fresh.has(id)),
    ...plan.tasks.filter(({ id }) => isDone(workflow, id) || before.includes(id)),
  ]);
}
