import type { LoopEvent } from "../../core/events/event.ts";
import { isActiveFor, isEnded, type Loop } from "../../core/loop/loop.ts";
import { lastAttempt, type Merge, type Setback } from "../../core/plan/workflow.ts";
import type { MovedBranch, AcceptedCommit } from "../../worktrees/integration/branch.ts";
import { moveBranch, acceptedSince } from "../../worktrees/integration/branch.ts";
import { mergeResult } from "../../worktrees/integration/merge-result.ts";
import { recordIf } from "../../storage/loops/journal-entries.ts";
import { examine, finishedAttempt, mergeAll, type MergeOutcome } from "./merge-results.ts";
import { treesOfCommits, withObjects, type Repository } from "../../worktrees/integration/repository.ts";
import { proveTogether, putBranchBack } from "./prove-together.ts";
import { pauseBlocked, taskOf, workflowOf, type WorkflowContext } from "./take-workflow.ts";

/** Writes down that these results are being merged, before anything happens; null: somebody else has the loop, or a merge runs. */
export async function beginMerge(context: WorkflowContext, tasks: readonly string[]): Promise<Merge | null> {
  const { live, run } = context;
  const begun = await recordIf(
    live.record,
    (loop) => isActiveFor(loop, run) && workflowOf(loop).merge === null,
    (loop) => {
      const { merges, branch } = workflowOf(loop);
      return [{ type: "merge.begun", merge: merges + 1, tasks, onto: branch?.tip ?? null }];
    },
  );
  if (begun === null) return null;
  context.tell({ type: "merging", tasks });
  return workflowOf(begun).merge;
}

/** Merges without a worktree, checks on a clean one, moves the branch by compare-and-swap, and records what came of it. */
export async function integrate(
  context: WorkflowContext,
  { id, tasks, onto }: Merge,
  signal: AbortSignal,
): Promise<void> {
  const outcome =
    onto === null ? inPlace(tasks) : await bisect(context, { merge: id, tasks, onto, before: [] }, signal);
  if (outcome === null) return;
  const proven = outcome.isWhole ? NOTHING_MORE : await proveTogether(context, outcome.accepted, signal);
  if (proven === null) return;
  const checks = [...(outcome.checks ?? []), ...proven.checks];
  await endMerge(context, id, { ...outcome, ...(checks.length === 0 ? {} : { checks }) }, proven.events);
}

const NOTHING_MORE = { events: [], checks: [] };

/** Without git the work is there already. */
function inPlace(tasks: readonly string[]): MergeOutcome {
  return { accepted: tasks.map((task) => ({ task, commit: null })), setBack: [], isWhole: true };
}

/** Part of a merge: results that go onto what was accepted of it before. */
interface Part {
  readonly merge: number;
  readonly tasks: readonly string[];
  readonly onto: string;
  /** The tasks of this merge that are on that commit; the journal doesn't say so yet. */
  readonly before: readonly string[];
}

/**
 * All of them at once; if that is red, each half by itself. A conflict within a red merge says nothing, since the result that it is with
 * may not be accepted: such a result stays, and is merged again. null: somebody stopped it.
 */
async function bisect(
  context: WorkflowContext,
  part: Part,
  signal: AbortSignal,
): Promise<MergeOutcome | null> {
  const { onto, before } = part;
  const merged = await mergeAll(context, part.tasks, onto);
  if (merged === null) return null;
  const [first] = merged.accepted;
  if (first === undefined) return merged;
  const last = merged.accepted.at(-1)?.commit ?? onto;
  const verdict = await examine(context, { accepted: merged.accepted, onto, before }, signal);
  if (verdict === null) return null;
  if (verdict.type === "green") {
    const shown = verdict.checks.length === 0 ? {} : { checks: verdict.checks };
    return moveTo(context, part, last, { ...merged, ...shown, isWhole: verdict.isWhole });
  }
  const names = merged.accepted.map(({ task }) => task);
  if (names.length === 1) {
    const setback: Setback = {
      kind: "red-together",
      detail: verdict.detail,
      carry: last,
      failing: verdict.failing,
    };
    return { accepted: [], setBack: [{ task: first.task, setback }], isWhole: true };
  }
  const middle = Math.ceil(names.length / 2);
  const left = await bisect(context, { ...part, tasks: names.slice(0, middle) }, signal);
  if (left === null) return null;
  const rest: Part = {
    ...part,
    tasks: names.slice(middle),
    onto: left.accepted.at(-1)?.commit ?? onto,
    before: [...before, ...left.accepted.map(({ task }) => task)],
  };
  const right = await bisect(context, rest, signal);
  if (right === null) return null;
  const checks = [...(left.checks ?? []), ...(right.checks ?? [])];
  return {
    accepted: [...left.accepted, ...right.accepted],
    setBack: [...left.setBack, ...right.setBack],
    isWhole: right.accepted.length === 0 ? left.isWhole : right.isWhole,
    ...(checks.length === 0 ? {} : { checks }),
  };
}

/** Nobody else moves the loop's branch; if it stands elsewhere, nothing of this counts. null: the merge is over already. */
async function moveTo(
  context: WorkflowContext,
  { merge, onto: from }: Part,
  to: string,
  merged: MergeOutcome,
): Promise<MergeOutcome | null> {
  const loop = await context.live.refresh();
  if (!isCurrent(loop, merge)) return null;
  const { branch } = workflowOf(loop);
  const { root } = context.live.project;
  const moved = await moveBranch({ root, name: branch?.name ?? "", from, to });
  if (moved.type === "moved") return merged;
  await pauseBlocked(context, `The branch ${branch?.name ?? ""} ${whyUnmoved(moved, from)}.`);
  return { accepted: [], setBack: [], isWhole: true };
}

function whyUnmoved(moved: Exclude<MovedBranch, { readonly type: "moved" }>, from: string): string {
  switch (moved.type) {
    case "taken":
      return `was moved by somebody else; put it back to ${from.slice(0, 12)}`;
    case "checked-out":
      return "is checked out, so it can't be moved; check out another branch there";
    case "failed":
      return `can't be moved: ${moved.why}`;
  }
}

async function endMerge(
  context: WorkflowContext,
  merge: number,
  { isWhole: _isWhole, ...outcome }: MergeOutcome,
  more: readonly LoopEvent[] = [],
): Promise<void> {
  let tip = workflowOf(context.live.loop).branch?.tip ?? null;
  const undone = more.find((event) => event.type === "merge.undone");
  const last = outcome.accepted.at(-1)?.commit ?? null;
  if (undone !== undefined && last !== null) await context.workspace.keepUndone(merge, last);
  for (const { task, setback } of outcome.setBack) await keepCarry(context, task, setback);
  const loop = await recordIf(
    context.live.record,
    (now) => isCurrent(now, merge),
    () => [{ type: "merge.ended", merge, ...outcome }, ...more],
  );
  if (loop === null) return;
  await putBranchBack(context);
  for (const { task, commit } of outcome.accepted) {
    // Without changes, a task has no commit of its own.
    context.tell({
      type: "merged",
      loop,
      task: taskOf(context, task),
      commit: commit === tip ? null : commit,
    });
    tip = commit;
  }
  for (const { task, setback } of outcome.setBack)
    context.tell({ type: "set-back", loop, task: taskOf(context, task), setback });
  if (undone !== undefined) context.tell({ type: "unmerged", tasks: undone.tasks, failing: undone.suspects });
}

/** Somebody may have cancelled the loop, or a second process may have ended what it took for abandoned. */
function isCurrent(loop: Loop, merge: number): boolean {
  return !isEnded(loop) && loop.workflow?.merge?.id === merge;
}

/** So that nobody's garbage collection takes what the next attempt starts with. */
async function keepCarry(context: WorkflowContext, task: string, { carry }: Setback): Promise<void> {
  const attempt = lastAttempt(workflowOf(context.live.loop), task);
  if (carry !== null && attempt !== null) await context.workspace.keepCarry(task, attempt.number, carry);
}

/** A run was killed during a merge: whether the loop's branch had moved says what was accepted. */
export async function recoverMerge(context: WorkflowContext): Promise<void> {
  await putBranchBack(context);
  const { merge, branch } = workflowOf(context.live.loop);
  if (merge === null) return;
  const repository = { root: context.live.project.root, stateHome: context.machine.home };
  const ref = `refs/heads/${branch?.name ?? ""}`;
  const commits = branch === null ? null : await acceptedSince({ ...repository, from: branch.tip, ref });
  const accepted: { readonly task: string; readonly commit: string }[] = [];
  let tip = branch?.tip ?? "";
  for (const each of commits ?? []) {
    const left = merge.tasks.filter((id) => accepted.every(({ task }) => task !== id));
    const task = await taskMerged(context, left, repository, each, tip);
    // Whatever somebody else put there is left to them: the next merge says so.
    if (task === null) break;
    accepted.push({ task, commit: each.commit });
    tip = each.commit;
  }
  await endMerge(context, merge.id, { accepted, setBack: [], isWhole: false });
}

/** The task whose result this commit merges onto another one; null: it is nobody's merge, whatever it says of itself. */
async function taskMerged(
  context: WorkflowContext,
  tasks: Merge["tasks"],
  repository: Repository,
  { commit, trailers }: AcceptedCommit,
  tip: string,
): Promise<string | null> {
  const task = trailers["Loop-Task"] ?? "";
  if (!tasks.includes(task)) return null;
  const { base, commit: result } = finishedAttempt(workflowOf(context.live.loop), task);
  const merged = await mergeResult({ ...repository, tip, base, result });
  const [tree] = (await withObjects(repository, async (store) => treesOfCommits(store, [commit]))) ?? [];
  return merged.type === "clean" && merged.tree === tree ? task : null;
}
