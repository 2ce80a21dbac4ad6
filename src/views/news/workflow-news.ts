import type { Loop } from "../../core/loop/loop.ts";
import type { PlannedTask } from "../../core/plan/plan.ts";
import type { Attempt, Delivery, Setback } from "../../core/plan/workflow.ts";
import type { Counsel, GateVerdict, ThoroughReview, WaveReview } from "../../core/stages/stages.ts";
import type { RunNews } from "./run-news.ts";

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
  | { readonly type: "flaky"; readonly check: string }
  | { readonly type: "given-up"; readonly task: PlannedTask; readonly why: string }
  /** No attempt starts, or fewer than could; told once until one does. */
  | { readonly type: "no-room"; readonly why: string }
  | { readonly type: "limited"; readonly agent: string; readonly until: number }
  | {
      readonly type: "counselled";
      readonly loop: Loop;
      readonly task: PlannedTask;
      readonly counsel: Counsel;
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
  | { readonly type: "gate-judged"; readonly loop: Loop; readonly verdict: GateVerdict }
  | { readonly type: "delivered"; readonly loop: Loop; readonly delivery: Delivery }
  | { readonly type: "workflow-ended"; readonly loop: Loop };
