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
  /** The checks of all tasks on the branch passed on the last of the accepted ones. */
  readonly isWhole: boolean;
}

/** Somebody's `git gc --prune=now` may take the commits of a merge away before a ref leads to them. */
const MOST_TRIES = 20;

/** One commit a task, each on top of the one before. null: git can't, and the loop is paused. */
export async function mergeAll(
  context: WorkflowContext,
  tasks: readonly string[],
  onto: string,
): Promise<MergeOutcome | null> {
  for (let tries = 1; ; tries += 1) {
    const merged = await tryToMerge(context, tasks, onto);
    if (!("why" in merged)) return merged;
    if (tries === MOST_TRIES) {
      await pauseBlocked(context, `${merged.task} can't be merged: ${merged.why}`);
      return null;
    }
  }
}

async function tryToMerge(
  context: WorkflowContext,
  tasks: readonly string[],
  onto: string,
): Promise<MergeOutcome | { readonly task: string; readonly why: string }> {
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
      if ((await refCommit(root, attempt.commit)) !== null) return { task, why: merged.why };
      setBack.push({ task, setback: { kind: "lost", detail: merged.why, carry: null, failing: [] } });
      continue;
    }
    const trailers = trailersOf(context, task, attempt);
    const { subject } = taskOf(context, task);
    const message = oneLine(`${task}: ${subject}`, LONGEST_SUBJECT);
    const made = await commitOnto({ root, tip, tree: merged.tree, message, trailers });
    if (made.type === "failed") return { task, why: made.why };
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
  // Nothing else leads to it until the branch is moved.
  if (tip !== onto && !(await context.workspace.keepMerging({ commit: tip, onto })))
    return { task: accepted.at(-1)?.task ?? "", why: "git can't keep the merged files" };
  return { accepted, setBack, isWhole: true };
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
  /** `isWhole`: the checks of all tasks on the branch passed, and not only of those that may be concerned. */
  | { readonly type: "green"; readonly checks: readonly MergeCheck[]; readonly isWhole: boolean }
  /** `failing`: the tasks whose checks don't pass there. */
  | { readonly type: "red"; readonly detail: string; readonly failing: readonly string[] };

/** Results, one commit each on top of the one before, that nobody has looked at together. */
export interface Merged {
  readonly accepted: readonly { readonly task: string; readonly commit: string | null }[];
  readonly onto: string;
  /** Tasks that are on that commit, although the journal doesn't say so yet. */
  readonly before: readonly string[];
}

/** Runs the checks of these tasks, and of those merged before whose files they touch, on the merged files. */
export async function examine(
  context: WorkflowContext,
  merged: Merged,
  signal: AbortSignal,
): Promise<Examined | null> {
  const { accepted } = merged;
  const workflow = workflowOf(context.live.loop);
  const commit = accepted.at(-1)?.commit ?? null;
  if (commit === null) return { type: "green", checks: [], isWhole: true };
  const { checks, isWhole } = await checksAfter(context, merged);
  if (checks.length === 0 || (await context.workspace.wasChecked(workflow, merged, checks)))
    return { type: "green", checks: [], isWhole };
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
  if (red.length === 0)
    return { type: "green", checks: checks.flatMap((each) => passedAs(ran, each)), isWhole };
  return { type: "red", detail: red.map(redText).join("\n"), failing: red.map(({ named }) => named.name) };
}

/** One that failed first and passed then has wavered, which the journal says by itself. */
export function passedAs({ evidence }: Examination, { name }: NamedCheck): readonly MergeCheck[] {
  const shown = evidence.get(name);
  if (shown?.passed !== true) return [];
  return [{ task: name, command: shown.command, exitCode: shown.exitCode, durationMs: shown.durationMs }];
}

/** So many run after every merge, whatever it touches: they show at once who broke what. */
const FEW_CHECKS = 16;

/**
 * Each command once: those of the tasks, then those of tasks that were merged before. Of many, only those whose files these touch, by the
 * plan or by what they changed, and the suspects: all of them after each merge would make the cost grow with the square of the tasks.
 */
async function checksAfter(
  context: WorkflowContext,
  { accepted, before }: Merged,
): Promise<{ readonly checks: readonly NamedCheck[]; readonly isWhole: boolean }> {
  const workflow = workflowOf(context.live.loop);
  const { tasks } = workflow.plan;
  const isFresh = new Set(accepted.map(({ task }) => task));
  const fresh = tasks.filter(({ id }) => isFresh.has(id));
  const others = tasks.filter(({ id }) => isDone(workflow, id) || before.includes(id));
  const all = checksOfTasks([...fresh, ...others]);
  // Without a gate, nobody would look at all of it at the end.
  if (all.length <= FEW_CHECKS || context.live.loop.stages === null) return { checks: all, isWhole: true };
  const suspects = new Set([...workflow.suspects, ...before]);
  const isTouched = await touchedBy(context, accepted);
  const concerned = others.filter((task) => suspects.has(task.id) || isTouched(task.id));
  const checks = checksOfTasks([...fresh, ...concerned]);
  return { checks, isWhole: checks.length === all.length };
}

/** Whether a task that is on the branch has files in common with these. */
async function touchedBy(
  { live, overlap, workspace }: WorkflowContext,
  accepted: Merged["accepted"],
): Promise<(task: string) => boolean> {
  const workflow = workflowOf(live.loop);
  const commits = new Map(
    workflow.attempts.flatMap(({ task, state }) =>
      state.type === "integrated" && state.commit !== null ? [[task, state.commit] as const] : [],
    ),
  );
  const own = accepted.flatMap(({ commit }) => commit ?? []);
  const files = await workspace.touched([...own, ...commits.values()]);
  // Where git doesn't say, all may be.
  if (files === null) return () => true;
  const changed = new Set(own.flatMap((commit) => [...(files.get(commit) ?? [])]));
  return (task) =>
    accepted.some((each) => overlap(each.task, task)) ||
    [...(files.get(commits.get(task) ?? "") ?? [])].some((path) => changed.has(path));
}
