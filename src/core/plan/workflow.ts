import type { LoopId } from "../loop/id.ts";
import type { Confidence } from "../loop/loop.ts";
import type { Plan, PlannedTask } from "./plan.ts";
import { placesOf, withChanged, withOneMore } from "./attempt-places.ts";
import { inWaves, remember } from "./graph.ts";

/** The branch that accepted work is merged to, one commit a task. Without git there is none, and tasks run in place. */
interface LoopBranch {
  readonly name: string;
  /** The user's commit that it began at. */
  readonly from: string;
  /** The user's branch, which is moved at the end; null when HEAD was detached. */
  readonly userBranch: string | null;
  /** The last commit that was accepted. */
  readonly tip: string;
}

/** Why a result isn't on the loop's branch, or an attempt has no result. */
export const SETBACKS = ["failed", "conflict", "red-together", "lost", "setup"] as const;
export type SetbackKind = (typeof SETBACKS)[number];

/** What an attempt came to when it came to nothing, which the next one is told. */
export interface Setback {
  readonly kind: SetbackKind;
  /** In words for a person and for the next attempt: what failed, with the end of its output. */
  readonly detail: string;
  /** A commit whose files the next attempt starts with: the conflict as it stands, or the merge that is red. */
  readonly carry: string | null;
  /** Tasks whose checks failed after the merge; the task's later attempts have to pass these checks, too. */
  readonly failing: readonly string[];
}

/** What an attempt is started with. */
export interface AttemptStart {
  readonly task: string;
  /** From 1. */
  readonly number: number;
  /** The plain loop that does it. */
  readonly loop: LoopId;
  /** The commit that it starts from; null without git. */
  readonly base: string | null;
  readonly worktree: string | null;
  readonly slot: number;
  readonly agent: string;
  /** Held against the budget until it ends. */
  readonly reservedUsd: number | null;
  readonly reservedTokens: number | null;
}

/** A verification of an attempt that failed, and didn't end it. */
export interface Shortfall {
  /** Of the workflow's loop, in which it was noticed. */
  readonly iteration: number;
  /** As of a setback. */
  readonly detail: string;
}

export interface Attempt extends AttemptStart {
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly state: AttemptState;
  /** Who makes it, by the name of a fleet's worker; left out where that is this machine. */
  readonly worker?: string;
  /** Left out as long as there is none. */
  readonly shortfalls?: readonly Shortfall[];
}

export interface Result {
  /** null without git. */
  readonly commit: string | null;
  readonly confidence: Confidence;
  /** Why it may not be what the attempt's checks ran on. */
  readonly doubts: readonly string[];
}

export type AttemptState =
  | { readonly type: "running" }
  /** Its result is kept in a ref and waits for the merge. */
  | ({ readonly type: "finished" } & Result)
  /** Its result is on the loop's branch, as this commit. */
  | ({ readonly type: "integrated"; readonly result: Result["commit"] } & Result)
  | { readonly type: "set-back"; readonly setback: Setback };

/** Several results that are merged and checked together; written down before the checks run. */
export interface Merge {
  readonly id: number;
  readonly tasks: readonly string[];
  /** null without git: the work is in place, and only checked. */
  readonly onto: string | null;
  readonly startedAt: number;
}

/** A check that passed on merged files. */
export interface MergeCheck {
  /** The task that it is of. */
  readonly task: string;
  readonly command: string;
  readonly exitCode: number | null;
  readonly durationMs: number;
}

/** A task, and the commit of the loop's branch that has its work. */
export interface AcceptedResult {
  readonly task: string;
  readonly commit: string | null;
}

export interface Times {
  readonly count: number;
  readonly totalMs: number;
}

/** How long attempts with a result and the checks of merges have taken, for estimates. */
interface Measured {
  readonly attempts: Times;
  readonly merges: Times;
}

export interface Workflow {
  readonly plan: Plan;
  /** How many attempts run at once. */
  readonly parallel: number;
  /** How many attempts a task may have. */
  readonly attemptLimit: number;
  /** What an attempt may spend at most; null without a budget. */
  readonly attemptUsd: number | null;
  readonly branch: LoopBranch | null;
  readonly attempts: readonly Attempt[];
  readonly merge: Merge | null;
  readonly merges: number;
  /** The commit of the branch on which the checks of all tasks last passed together; null without a branch. */
  readonly proven: string | null;
  /** What was accepted since then, in order. */
  readonly unproven: readonly AcceptedResult[];
  /** Tasks whose checks run after every merge until then, since one of them has broken these. */
  readonly suspects: readonly string[];
  /** The branch was to be put back; null: it has moved on since. */
  readonly undone: { readonly from: string; readonly to: string } | null;
  /** Checks, by their tasks or must-nots, that failed and passed on the same files. */
  readonly wavered: readonly string[];
  /** Tasks that have had their attempts, and why they were given up. */
  readonly givenUp: readonly { readonly task: string; readonly why: string }[];
  /** Tasks that are left out, and why; what waits for them goes on without. */
  readonly skipped: readonly { readonly task: string; readonly why: string }[];
  /** Tasks that a person has tried again, and after how many attempts. */
  readonly retried: readonly { readonly task: string; readonly after: number }[];
  /** Waves that were announced as begun. */
  readonly wavesBegun: number;
  readonly wavesDone: number;
  readonly retries: number;
  readonly measured: Measured;
  /** Agents that met a usage limit, and until when they wait. */
  readonly waits: readonly { readonly agent: string; readonly until: number }[];
  /** Where the user's branch stood when it was about to be moved; null: nothing was. */
  readonly deliveredFrom: string | null;
  /** What became of the loop's branch at the end. */
  readonly delivered: Delivery | null;
}

export interface Delivery {
  /** `moved`: the user's branch was fast-forwarded. `left`: it wasn't, for this reason. */
  readonly how: "moved" | "left";
  readonly why: string | null;
}

export type TaskState = "done" | "running" | "merging" | "ready" | "blocked" | "given-up" | "skipped";

const wavesIn = remember((tasks: readonly PlannedTask[]) => inWaves(tasks));
const tasksIn = remember(
  (list: readonly { readonly task: string }[]) => new Set(list.map(({ task }) => task)),
);

export function attemptsOf({ attempts }: Workflow, task: string): readonly Attempt[] {
  return placesOf(attempts, task).flatMap((place) => attempts[place] ?? []);
}

export function lastAttempt({ attempts }: Workflow, task: string): Attempt | null {
  return attempts[placesOf(attempts, task).at(-1) ?? -1] ?? null;
}

/** Why attempts at a task came to nothing, in order. */
export function setbacksOf(workflow: Workflow, task: string): readonly Setback[] {
  return attemptsOf(workflow, task).flatMap(({ state }) =>
    state.type === "set-back" ? [state.setback] : [],
  );
}

/** What failed at a task so far, in order: attempts that came to nothing, and verifications of the one that runs. */
export function failuresOf(workflow: Workflow, task: string): readonly string[] {
  const last = lastAttempt(workflow, task);
  const shortfalls = last?.state.type === "running" ? (last.shortfalls ?? []) : [];
  return [...setbacksOf(workflow, task), ...shortfalls].map(({ detail }) => detail);
}

export function taskState(workflow: Workflow, { id, blockedBy }: PlannedTask): TaskState {
  if (isGivenUp(workflow, id)) return "given-up";
  const state = lastAttempt(workflow, id)?.state.type ?? null;
  if (state === "integrated") return "done";
  if (state === "running") return "running";
  if (state === "finished") return "merging";
  if (isSkipped(workflow, id)) return "skipped";
  return blockedBy.every((each) => isSettled(workflow, each)) ? "ready" : "blocked";
}

export function isDone(workflow: Workflow, task: string): boolean {
  return lastAttempt(workflow, task)?.state.type === "integrated";
}

/** Nothing is left to do for it: it is done, or left out. */
export function isSettled(workflow: Workflow, task: string): boolean {
  return isDone(workflow, task) || (isSkipped(workflow, task) && !isAtWork(workflow, task));
}

export function isSkipped({ skipped }: Workflow, task: string): boolean {
  return tasksIn(skipped).has(task);
}

/** An attempt runs, or its result waits for the merge. */
export function isAtWork(workflow: Workflow, task: string): boolean {
  return ["running", "finished"].includes(lastAttempt(workflow, task)?.state.type ?? "");
}

export function areAllSettled(workflow: Workflow): boolean {
  return workflow.plan.tasks.every(({ id }) => isSettled(workflow, id));
}

export function isGivenUp({ givenUp }: Workflow, task: string): boolean {
  return tasksIn(givenUp).has(task);
}

/** It has had all of its attempts, and none is under way. */
export function isSpent(workflow: Workflow, task: string): boolean {
  const attempts = attemptsOf(workflow, task);
  const before = attemptsBeforeRetry(workflow, task);
  const allowed = before === 0 ? workflow.attemptLimit : Math.max(workflow.attemptLimit, before + 1);
  return attempts.length >= allowed && attempts.at(-1)?.state.type === "set-back";
}

/** How many attempts a task had when a person last had it tried again; 0: nobody has. */
export function attemptsBeforeRetry({ retried }: Workflow, task: string): number {
  return retried.findLast((each) => each.task === task)?.after ?? 0;
}

/** Tasks that were given up for their own failures. */
export function failedTasks(workflow: Workflow): readonly string[] {
  return workflow.givenUp
    .map(({ task }) => task)
    .filter((task) => lastAttempt(workflow, task)?.state.type === "set-back");
}

/** Tasks that were given up for failing in the same way, with attempts left: more of the same won't help them. */
export function circlingTasks(workflow: Workflow): readonly string[] {
  return failedTasks(workflow).filter((task) => !isSpent(workflow, task));
}

export function running({ attempts }: Workflow): readonly Attempt[] {
  return attempts.filter(({ state }) => state.type === "running");
}

/** The attempt, while it has no result yet; of several results, the first is accepted. */
export function awaited(
  workflow: Workflow,
  { task, number }: Pick<Attempt, "task" | "number">,
): Attempt | null {
  const last = lastAttempt(workflow, task);
  return last?.number === number && last.state.type === "running" ? last : null;
}

export function withNewAttempt(workflow: Workflow, started: Attempt): Workflow {
  return { ...workflow, attempts: withOneMore(workflow.attempts, started) };
}

export function withAttempt(workflow: Workflow, changed: Attempt): Workflow {
  return { ...workflow, attempts: withChanged(workflow.attempts, changed) };
}

export function plusTime({ count, totalMs }: Times, ms: number): Times {
  return { count: count + 1, totalMs: totalMs + Math.max(0, ms) };
}

/** null before anything was measured. */
export function meanOf({ count, totalMs }: Times): number | null {
  return count === 0 ? null : totalMs / count;
}

/** The tasks of each wave, by level. */
export function waves({ tasks }: Plan): readonly (readonly PlannedTask[])[] {
  return wavesIn(tasks);
}
