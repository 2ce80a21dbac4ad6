import type { PauseReason } from "../loop/loop.ts";
import type { EventOf } from "../events/event.ts";
import { isDone, taskState, type Workflow } from "./workflow.ts";

/** Something that may be done for a workflow now. */
export type Step =
  | { readonly type: "announce"; readonly wave: number }
  | { readonly type: "wave-done"; readonly wave: number }
  | StartStep
  /** All of them together; whoever merges finds out which one is red. */
  | { readonly type: "merge"; readonly tasks: readonly string[] }
  | { readonly type: "give-up"; readonly task: string; readonly why: string }
  /** Nothing else can be done, and what is finished is to be delivered without these. */
  | { readonly type: "leave-out"; readonly tasks: readonly { readonly task: string; readonly why: string }[] }
  /** A task could start, but every agent waits for a usage limit; this one is free first. */
  | { readonly type: "wait"; readonly until: number; readonly agent: string }
  | { readonly type: "pause"; readonly reason: PauseReason; readonly detail: string | null }
  | QuestionStep
  /** Every task is done, and nothing blocks the end. */
  | { readonly type: "finish" };

/** Takes a while, and goes on beside the rest. */
export type QuestionStep =
  /** Another approach for a task whose attempt `after` failed; the next attempt waits for it. */
  | { readonly type: "counsel"; readonly task: string; readonly after: number }
  /** The light review of a wave that is done. Nothing waits for it but the end. */
  | { readonly type: "review-wave"; readonly wave: number }
  /** The thorough review of all that is on the branch. */
  | { readonly type: "review"; readonly round: number }
  /** What becomes of the findings of a review. */
  | { readonly type: "resolve"; readonly round: number }
  | { readonly type: "gate"; readonly round: number };

/** Names a step that takes a while, for as long as it is under way. */
export function keyOf(step: QuestionStep): string {
  switch (step.type) {
    case "counsel":
      return `counsel ${step.task} ${step.after}`;
    case "review-wave":
      return `${WAVE}${step.wave}`;
    case "review":
    case "resolve":
    case "gate":
      return `${step.type} ${step.round}`;
  }
}

const WAVE = "wave ";

/** Nothing but the end waits for it. */
export function isBesideAll(key: string): boolean {
  return key.startsWith(WAVE);
}

export interface StartStep {
  readonly type: "start";
  readonly task: string;
  readonly number: number;
  /** From 1; no two attempts that run at once share one. */
  readonly slot: number;
  readonly agent: string;
  /** What the attempt may spend at most; null: as much as it likes. */
  readonly reservedUsd: number | null;
  /** How many tokens it may use at most; null: as many as it likes. */
  readonly reservedTokens: number | null;
}

/** What the journal of a workflow doesn't say. */
export interface Facts {
  readonly now: number;
  readonly budgetUsd: number | null;
  /** By the workflow's loop: all attempts that ended, and whatever else it paid for. */
  readonly spentUsd: number;
  readonly tokenLimit: number | null;
  readonly spentTokens: number;
  /** The dearest turn of any attempt so far. */
  readonly turnUsd: number;
  /** Every agent ends by itself at the budget that it is given; others only say afterwards what a turn has cost. */
  readonly areCapped: boolean;
  /** The chosen agent, then those that take over while it waits for a usage limit. */
  readonly agents: readonly string[];
  /** Whether two tasks get into each other's way, by their plans, by their last attempts, or because their results conflict. */
  readonly overlap: (task: string, other: string) => boolean;
  /** Without git, tasks are done in place, one at a time. */
  readonly isGit: boolean;
  /** The questions, by their keys, that this process is at. */
  readonly underWay: ReadonlySet<string>;
  /** How many more attempts there is room for, and why not for more; undefined: for any number. */
  readonly room?: { readonly attempts: number; readonly why: string } | undefined;
  /** How many attempts may run at once, if this run was told another number than the plan. */
  readonly parallel?: number | null;
  /** How often a task may fail in the same way in a row, counted from when somebody last began or resumed the work; undefined: any number. */
  readonly stuck?: { readonly limit: number; readonly since: number };
  /** What is finished is delivered when all other tasks were given up; otherwise the work pauses. */
  readonly deliversDone?: boolean;
  /** A session's agent works on the tasks, and nobody else can be asked beside it. */
  readonly isSession?: boolean;
}

const UNTRIED = "it was not done when the rest was delivered";

/** Leaves out every task that is neither done nor waiting for its merge, to deliver the rest. null: nothing is done. */
export function unfinishedLeftOut(workflow: Workflow | null): readonly EventOf<"task.skipped">[] | null {
  const tasks = workflow?.plan.tasks ?? [];
  if (workflow === null || !tasks.some(({ id }) => isDone(workflow, id))) return null;
  return tasks
    .filter((task) => !["done", "merging", "skipped"].includes(taskState(workflow, task)))
    .map(({ id }) => {
      const why = workflow.givenUp.find(({ task }) => task === id)?.why ?? UNTRIED;
      return { type: "task.skipped", task: id, why, by: "person" };
    });
}
