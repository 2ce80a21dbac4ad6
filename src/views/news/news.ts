import type { Loop, LaunchedTurn } from "../../core/loop/loop.ts";
import type { Recovery, Trouble } from "../../core/stop/trouble.ts";
import type { Verdict } from "../../core/stop/verdict.ts";
import type { AgentEvent } from "../../agents/drivers/driver.ts";
import type { JournalEntry } from "../../core/events/event.ts";
import type { PlannedTask } from "../../core/plan/plan.ts";
import type { Attempt, Delivery, Setback } from "../../core/plan/workflow.ts";
import type {
  RetryAdvice,
  GateVerdict,
  ThoroughReview,
  WaveReview,
  IntentSummary,
} from "../../core/stages/stages.ts";
import type { Purpose } from "../../core/questions/question.ts";

/** What a run reports to its views, in order. */
export type RunNews =
  | {
      readonly type: "began";
      readonly loop: Loop;
      readonly agent: string;
      /** What the agent may do, to follow "may"; null if unknown. */
      readonly permits: string | null;
      /** It takes rules of what it may do, too. */
      readonly hasRules: boolean;
      readonly resumed: boolean;
    }
  /** A turn of an earlier run was still open, and is now settled. */
  | {
      readonly type: "recovered";
      readonly loop: Loop;
      readonly turn: LaunchedTurn;
      readonly finished: boolean;
    }
  /**
   * What `loop undo` won't restore: all files if no checkpoint could be taken, or those missing from it. `why` is null if there
   * is no repository.
   */
  | { readonly type: "unkept"; readonly files: "all" | readonly string[]; readonly why: string | null }
  | { readonly type: "launched"; readonly loop: Loop; readonly turn: LaunchedTurn }
  | { readonly type: "seen"; readonly agentEvent: AgentEvent; readonly usd: number | null }
  /** The agent's process and everything it started have ended. */
  | { readonly type: "returned"; readonly turn: LaunchedTurn }
  | { readonly type: "checking"; readonly name: string }
  | { readonly type: "checked"; readonly name: string; readonly passed: boolean }
  | { readonly type: "judged"; readonly loop: Loop; readonly verdict: Verdict }
  | { readonly type: "troubled"; readonly loop: Loop; readonly trouble: Trouble; readonly remedy: Recovery }
  | { readonly type: "waiting"; readonly loop: Loop; readonly until: number; readonly detail: string }
  /** The work was to become a commit, and couldn't be made one now. */
  | { readonly type: "uncommitted"; readonly loop: Loop; readonly why: string }
  | { readonly type: "recorded"; readonly entries: readonly JournalEntry[] }
  /** `isNamed`: several loops are open, so a command has to name the one it means. `canUndo`: there are checkpoints. */
  | { readonly type: "ended"; readonly loop: Loop; readonly isNamed: boolean; readonly canUndo: boolean };

/** What the run of a plan tells whoever watches, in the order in which it happens. */
export type WorkflowNews =
  | {
      readonly type: "workflow-began";
      readonly loop: Loop;
      readonly resumed: boolean;
      readonly inPlace: boolean;
    }
  | { readonly type: "preparing"; readonly what: string }
  | { readonly type: "wave-began"; readonly loop: Loop; readonly wave: number; readonly tasks: number }
  | { readonly type: "wave-ended"; readonly loop: Loop; readonly wave: number }
  | {
      readonly type: "attempt-began";
      readonly loop: Loop;
      readonly task: PlannedTask;
      readonly attempt: Attempt;
      /** An earlier run began it. */
      readonly isResumed: boolean;
    }
  | {
      readonly type: "attempt-placed";
      readonly loop: Loop;
      readonly task: PlannedTask;
      readonly worker: string;
    }
  | { readonly type: "attempt-news"; readonly task: string; readonly news: RunNews }
  | {
      readonly type: "attempt-finished";
      readonly loop: Loop;
      readonly task: PlannedTask;
      readonly attempt: Attempt;
      /** Why its result may not be what its checks ran on. */
      readonly doubts: readonly string[];
    }
  | { readonly type: "set-back"; readonly loop: Loop; readonly task: PlannedTask; readonly setback: Setback }
  | { readonly type: "merging"; readonly tasks: readonly string[] }
  | {
      readonly type: "merged";
      readonly loop: Loop;
      readonly task: PlannedTask;
      readonly commit: string | null;
    }
  | { readonly type: "reverted"; readonly task: string; readonly files: readonly string[] }
  /** The checks of tasks that were merged before failed on the whole: what was merged since is merged again. */
  | { readonly type: "unmerged"; readonly tasks: readonly string[]; readonly failing: readonly string[] }
  | { readonly type: "flaky"; readonly check: string }
  | { readonly type: "given-up"; readonly task: PlannedTask; readonly why: string }
  /** Tasks that were given up, and that what is finished is delivered without. */
  | { readonly type: "left-out"; readonly tasks: readonly string[] }
  /** No attempt starts, or fewer than could; told once until one does. */
  | { readonly type: "no-room"; readonly why: string }
  | { readonly type: "limited"; readonly agent: string; readonly until: number }
  | {
      readonly type: "counselled";
      readonly loop: Loop;
      readonly task: PlannedTask;
      readonly counsel: RetryAdvice;
    }
  | { readonly type: "wave-reviewed"; readonly loop: Loop; readonly review: WaveReview }
  | { readonly type: "work-reviewed"; readonly loop: Loop; readonly review: ThoroughReview }
  | {
      readonly type: "findings-settled";
      readonly loop: Loop;
      readonly round: number;
      /** How many of them became tasks. */
      readonly tasks: number;
    }
  /** The gate runs something that takes a while. */
  | { readonly type: "gating"; readonly what: string }
  | { readonly type: "gate-judged"; readonly loop: Loop; readonly verdict: GateVerdict }
  | { readonly type: "delivered"; readonly loop: Loop; readonly delivery: Delivery }
  | { readonly type: "workflow-ended"; readonly loop: Loop };

/** What a workflow tells whoever watches on its way to the plan. */
export type StageNews =
  | { readonly type: "stages-began"; readonly loop: Loop; readonly resumed: boolean }
  | { readonly type: "stage-began"; readonly loop: Loop }
  /** A model is asked, which takes a while. */
  | { readonly type: "asking"; readonly purpose: Purpose }
  | { readonly type: "unanswered"; readonly purpose: Purpose; readonly why: string }
  /** For a usage limit. */
  | { readonly type: "waiting"; readonly now: number; readonly until: number; readonly detail: string }
  | { readonly type: "understood"; readonly echo: IntentSummary }
  /** `isShown`: somebody has just agreed to it. */
  | { readonly type: "shape-drawn"; readonly loop: Loop; readonly isShown: boolean }
  | { readonly type: "planned"; readonly loop: Loop; readonly isShown: boolean }
  | { readonly type: "note"; readonly text: string };
