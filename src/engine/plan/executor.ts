import type { Check, Evidence } from "../../core/loop/criterion.ts";
import type { LoopId } from "../../core/loop/id.ts";
import type { Limits, MustNot } from "../../core/loop/loop.ts";
import type { Result, Setback } from "../../core/plan/workflow.ts";
import type { Recall } from "../../core/loop/recall.ts";
import type { ProofMode } from "../../core/loop/proof.ts";
import type { JournalRecord } from "../../storage/journal/record.ts";
import type { Lesson } from "../learnings/learning.ts";
import type { RunNews } from "../../views/news/news.ts";

/** All that is needed to make one attempt, as plain data, with secrets by their names alone: what runs it may be another process, or another machine. */
export interface AttemptEnvelope {
  readonly version: 1;
  /** `LOOP/TASK/NUMBER`: the same attempt asked for twice is one attempt. */
  readonly key: string;
  readonly workflow: LoopId;
  readonly task: string;
  readonly number: number;
  /** The loop that the attempt is. */
  readonly loop: LoopId;
  /** The commit that it starts from; null without git. */
  readonly base: string | null;
  /** A commit whose files are laid over that: a conflict as it stands, or a merge that is red. */
  readonly carry: string | null;
  readonly worktree: string | null;
  /** Below the worktree's root: where the agent and the checks work. */
  readonly folder: string;
  readonly slot: number;
  readonly agent: string;
  readonly spec: string;
  readonly criteria: readonly { readonly name: string; readonly check: Check | null }[];
  readonly mustNots: readonly MustNot[];
  readonly protects: readonly string[];
  readonly mayChange: readonly string[];
  readonly proof: ProofMode;
  readonly proofBudgetMs: number | null;
  readonly limits: Limits;
  /** The dearest turn of the workflow so far: an agent that can't be capped starts no further turn that its budget doesn't cover. */
  readonly turnUsd: number;
  readonly iterationLimit: number | null;
  /** Needs no agent where its checks pass before any work. */
  readonly mayBeDone: boolean;
  /** What earlier loops taught about the whole job. */
  readonly recall: Recall | null;
}

interface Usage {
  readonly usd: number;
  /** Of its dearest turn. */
  readonly turnUsd: number;
  readonly tokens: number;
  readonly priced: boolean;
}

export type AttemptOutcome =
  | ({ readonly type: "finished" } & Result)
  | { readonly type: "set-back"; readonly setback: Setback }
  /** A person is needed, and every other attempt would need them too. */
  | { readonly type: "blocked"; readonly setback: Setback }
  /** Its check passes only because these tests and definitions changed. If a person approves that, it can be resumed. */
  | {
      readonly type: "unapproved";
      readonly setback: Setback;
      readonly files: readonly string[];
      /** On another machine; there it has to be approved. */
      readonly where?: string;
    }
  /**
   * It can't go on now, nothing is lost, and it can be resumed: its agent met a usage limit and doesn't say when it ends, or its worktree
   * can't be made or its files can't be kept, because the disk is full, say; or something went wrong where it runs.
   */
  | {
      readonly type: "paused";
      readonly reason: "rate-limit" | "blocked" | "unknown-error";
      readonly detail: string;
    }
  /** Somebody stopped it; it can be resumed. */
  | { readonly type: "stopped" };

/** Plain data, too. Of several results of one attempt, the first counts. */
export interface AttemptResult {
  readonly key: string;
  readonly outcome: AttemptOutcome;
  readonly usage: Usage;
  /** What the checks of its criteria showed last. */
  readonly evidence: readonly { readonly criterion: string; readonly evidence: Evidence }[];
  /** What it taught; kept already where it ran. */
  readonly learnings: readonly Lesson[];
  /** The attempt's own journal, for callers that can't read it where it was written; empty if there never was one. */
  readonly journal: readonly JournalRecord[];
}

/** Of an attempt that has come to no loop of its own. */
export const NOTHING_SHOWN: Omit<AttemptResult, "key" | "outcome"> = {
  usage: { usd: 0, turnUsd: 0, tokens: 0, priced: true },
  evidence: [],
  learnings: [],
  journal: [],
};

/** Of one whose records are gone: nobody can tell what it spent. So it is taken to have spent all that was promised to it. */
export function untoldUsage({ limits }: AttemptEnvelope): Pick<AttemptResult, "usage"> {
  return { usage: { usd: limits.budgetUsd ?? 0, turnUsd: 0, tokens: limits.tokens ?? 0, priced: false } };
}

export interface AttemptSignals {
  /** Ends the attempt now, with everything that it started. */
  readonly signal: AbortSignal;
  /** Ends it after the iteration that it is in. */
  readonly soon: AbortSignal;
  readonly tell: (news: RunNews) => void;
  /** Until when its agent waits for a usage limit that another attempt met; null: it doesn't. */
  readonly waitsUntil: () => number | null;
  /** What a person told its agent since it began, for whoever makes it where nobody here can write its journal. */
  readonly words?: () => readonly string[];
  /** A worker of a fleet, by its name, makes it. */
  readonly placed?: (worker: string) => void;
  /** Its check failed after a turn: what the next one does differently; null: nothing that it doesn't know. */
  readonly advise?: (failure: string) => Promise<string | null>;
}

/** Where attempts run. An attempt that is asked for again is joined while it runs, resumed if it was stopped, and otherwise over. */
export interface Executor {
  readonly runAttempt: (envelope: AttemptEnvelope, signals: AttemptSignals) => Promise<AttemptResult>;
}
