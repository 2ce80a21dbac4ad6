import type { Finding } from "../stages/stages.ts";
import type { Attribution, Evidence } from "../loop/criterion.ts";
import type { LoopEvent } from "../events/event.ts";
import type { ProofKind } from "../loop/proof.ts";
import type { Confidence, ExitRule, Mode, PauseReason } from "../loop/loop.ts";
import type { Need, Settlement, StopKind } from "./facts.ts";

export interface FailingCheck {
  readonly name: string;
  readonly evidence: Evidence;
  readonly attribution: Attribution | null;
  /** The same output was sent in full before. */
  readonly unchanged: boolean;
}

/** What shows that the work isn't done although its checks pass. */
export interface Contradiction {
  /** `strict`: only weak evidence, and the user wants more. */
  readonly kind: Extract<ProofKind, "judge" | "counts" | "holdout"> | "strict";
  /** The criterion or holdout; null: the whole loop. */
  readonly name: string | null;
  readonly detail: string;
  /** The changed files and parts of files it is about. */
  readonly files: readonly string[];
  readonly output: string | null;
}

/** What a session has to do for the tasks of its plan. */
export interface PlanHold {
  /** The shape is drawn, and nobody has split the work into tasks. */
  readonly lacksPlan: boolean;
  /** May be claimed now. */
  readonly ready: readonly string[];
  /** Claimed, and not yet said to be done. */
  readonly atWork: readonly string[];
  readonly rejected: Settlement["rejected"];
  /** Those that are ready or at work and failed before, until somebody says how to go about them differently. */
  readonly stuck: readonly string[];
  /** The last wave that was merged, if nobody has looked at it; null: there is none. */
  readonly mergedWave: number | null;
  /** All tasks are merged, and nobody has reviewed the result. */
  readonly isReviewDue: boolean;
  /** What the review found and the user decides about. */
  readonly findings: readonly Finding[];
  /** The user agrees to what there is before the agent goes on. */
  readonly asksUser: boolean;
}

/** Everything the agent needs to know about why it is held. */
export interface HoldReason {
  /** Nobody told this conversation yet what never changes. */
  readonly isFirst: boolean;
  readonly iteration: number;
  readonly iterationLimit: number | null;
  readonly rule: ExitRule;
  readonly mode: Mode;
  /** Names of unmet criteria, or ids and subjects of pending tasks. */
  readonly unmet: readonly string[];
  /** Unmet criteria without a check: the agent has to attest them. */
  readonly unattested: readonly string[];
  /** Criteria whose evidence was obtained after a protected path changed. */
  readonly voided: readonly string[];
  /** Unmet criteria whose checks ran before the last change. */
  readonly outdated: readonly string[];
  readonly failing: readonly FailingCheck[];
  readonly contradictions: readonly Contradiction[];
  /** What it was not allowed to do since it was last told, each as the flag that would allow it. */
  readonly denied: readonly string[];
  readonly nextStep: string | null;
  /** What a person said that the agent hasn't heard. */
  readonly words: readonly string[];
  /** Only the exit signal is missing. */
  readonly lacksSignal: boolean;
  /** Where the tasks of a plan are; null: a plain loop. */
  readonly plan: PlanHold | null;
  /** A bare hold: only its first line. */
  readonly bare: boolean;
}

export type Verdict =
  | {
      readonly type: "let-go";
      readonly because: "disabled" | "no-loop" | "other-session" | "untrusted" | "ended" | "deleted";
    }
  | { readonly type: "let-go"; readonly because: "aborted" | "unusable"; readonly why: string }
  | { readonly type: "let-go"; readonly because: "paused-before" }
  | {
      readonly type: "let-go";
      readonly because: "not-an-end";
      readonly stop: Exclude<StopKind, "end-of-turn">;
    }
  | {
      readonly type: "let-go";
      readonly because: "paused";
      readonly reason: PauseReason;
      readonly detail: string | null;
    }
  | {
      readonly type: "let-go";
      readonly because: "completed";
      readonly confidence: Confidence;
      readonly why: readonly string[];
    }
  | { readonly type: "let-go"; readonly because: "frame-popped" }
  | { readonly type: "let-go"; readonly because: "handed-back"; readonly iteration: number }
  | { readonly type: "hold"; readonly because: "unfinished"; readonly reason: HoldReason }
  | { readonly type: "hold"; readonly because: "checks-running"; readonly names: readonly string[] };

export type Decision =
  | { readonly type: "needs"; readonly needs: readonly [Need, ...Need[]] }
  | { readonly type: "verdict"; readonly verdict: Verdict; readonly events: readonly LoopEvent[] };
