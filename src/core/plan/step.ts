import type { PauseReason } from "../loop.ts";

/** Something that may be done for a workflow now. */
export type Step =
  | { readonly type: "announce"; readonly wave: number }
  | { readonly type: "wave-done"; readonly wave: number }
  | StartStep
  /** All of them together; whoever merges finds out which one is red. */
  | { readonly type: "merge"; readonly tasks: readonly string[] }
  | { readonly type: "give-up"; readonly task: string; readonly why: string }
  /** A task could start, but every agent waits for a usage limit; this one is free first. */
  | { readonly type: "wait"; readonly until: number; readonly agent: string }
  | { readonly type: "pause"; readonly reason: PauseReason; readonly detail: string | null }
  /** Every task is done. */
  | { readonly type: "finish" };

export interface StartStep {
  readonly type: "start";
  readonly task: string;
  readonly number: number;
  /** From 1; no two attempts that run at once share one. */
  readonly slot: number;
  readonly agent: string;
  /** What the attempt may spend at most; null: as much as it likes. */
  readonly reservedUsd: number | null;
  /** A commit whose files it starts with. */
  readonly carry: string | null;
}

/** What the journal of a workflow doesn't say. */
export interface Facts {
  readonly now: number;
  readonly budgetUsd: number | null;
  /** By the workflow's loop: all attempts that ended, and whatever else it paid for. */
  readonly spentUsd: number;
  /** The chosen agent, then those that take over while it waits for a usage limit. */
  readonly agents: readonly string[];
  /** Whether two tasks get into each other's way, by their plans, by their last attempts, or because their results conflict. */
  readonly overlap: (task: string, other: string) => boolean;
  /** Without git, tasks are done in place, one at a time. */
  readonly isGit: boolean;
  /** How many more attempts there is room for, and why not for more; undefined: for any number. */
  readonly room?: { readonly attempts: number; readonly why: string } | undefined;
  /** How many attempts may run at once, whatever the plan's own number says. */
  readonly cap?: number;
}
