import type { Actor } from "../events/event.ts";
import type { Plan, PlannedTask } from "./plan.ts";
import type { AttemptStart, Delivery, MergeCheck, Result, Setback, Shortfall } from "./workflow.ts";

/** What a workflow's journal knows: the plan, its attempts by their loops, merges and the end. The rest is in the attempts' own journals. */
export type WorkflowEvent =
  | {
      readonly type: "plan.adopted";
      readonly plan: Plan;
      readonly parallel: number;
      readonly attemptLimit: number;
      readonly attemptUsd: number | null;
    }
  /** More tasks: for what a review or the gate found, or from a person. */
  | { readonly type: "plan.extended"; readonly tasks: readonly PlannedTask[]; readonly why: string }
  /** A person changed a task that no attempt is at; or it waits for one more. */
  | { readonly type: "task.edited"; readonly task: PlannedTask }
  /** It is left out. An attempt that runs still ends, and what it brings is merged. */
  | { readonly type: "task.skipped"; readonly task: string; readonly why: string; readonly by: Actor }
  /** A person wants one more attempt at a task that was given up or left out. */
  | { readonly type: "task.retried"; readonly task: string }
  /** Written before the branch is made. */
  | {
      readonly type: "branch.begun";
      readonly name: string;
      readonly from: string;
      readonly userBranch: string | null;
    }
  | { readonly type: "wave.begun"; readonly wave: number }
  | { readonly type: "wave.ended"; readonly wave: number }
  /** Written before the worktree is made and the attempt's loop is opened. */
  | ({ readonly type: "attempt.started" } & AttemptStart)
  /** A worker of a fleet makes it. Not written for one that is made here. */
  | {
      readonly type: "attempt.placed";
      readonly task: string;
      readonly number: number;
      readonly worker: string;
    }
  /** Its result is kept in a ref. What it cost is charged in the same record. */
  | ({ readonly type: "attempt.finished"; readonly task: string; readonly number: number } & Result)
  | {
      readonly type: "attempt.set-back";
      readonly task: string;
      readonly number: number;
      readonly setback: Setback;
    }
  /** Its check failed when it was said to be done, or its agent came back without saying so; it goes on. */
  | ({ readonly type: "attempt.fell-short"; readonly task: string; readonly number: number } & Shortfall)
  /** Written before the merge is checked. Without git the results are in place, and there are no commits. */
  | {
      readonly type: "merge.begun";
      readonly merge: number;
      readonly tasks: readonly string[];
      readonly onto: string | null;
    }
  /** The loop's branch stands at the last accepted commit by now. */
  | {
      readonly type: "merge.ended";
      readonly merge: number;
      readonly accepted: readonly { readonly task: string; readonly commit: string | null }[];
      readonly setBack: readonly { readonly task: string; readonly setback: Setback }[];
      /** What passed on the files of the accepted ones; left out where nothing had to run, or nobody knows. */
      readonly checks?: readonly MergeCheck[];
    }
  /** The checks of all tasks on the branch passed together there. Not written where every merge runs them all. */
  | { readonly type: "work.checked"; readonly commit: string }
  /** Written before the branch is put back to this commit: these results are merged again, with the checks of the suspects. */
  | {
      readonly type: "merge.undone";
      readonly to: string;
      readonly tasks: readonly string[];
      readonly suspects: readonly string[];
    }
  /** A check, by its task or its must-not, failed and passed on the same files. */
  | { readonly type: "check.wavered"; readonly check: string }
  | { readonly type: "task.given-up"; readonly task: string; readonly why: string }
  /** One usage limit for all attempts of an agent. */
  | { readonly type: "agent.limited"; readonly agent: string; readonly until: number }
  /** Written before the user's branch is moved: the commit that it stands at. */
  | { readonly type: "delivery.begun"; readonly from: string }
  | { readonly type: "work.delivered"; readonly delivery: Delivery };

export const WORKFLOW_EVENT_VERSION = {
  "plan.adopted": 1,
  "plan.extended": 1,
  "task.edited": 1,
  "task.skipped": 1,
  "task.retried": 1,
  "branch.begun": 1,
  "wave.begun": 1,
  "wave.ended": 1,
  "attempt.started": 2,
  "attempt.placed": 1,
  "attempt.finished": 2,
  "attempt.set-back": 2,
  "attempt.fell-short": 1,
  "merge.begun": 1,
  "merge.ended": 3,
  "work.checked": 1,
  "merge.undone": 1,
  "check.wavered": 1,
  "task.given-up": 1,
  "agent.limited": 1,
  "delivery.begun": 1,
  "work.delivered": 1,
} as const satisfies { readonly [Type in WorkflowEvent["type"]]: number };

export function isWorkflowEvent(event: { readonly type: string }): event is WorkflowEvent {
  return event.type in WORKFLOW_EVENT_VERSION;
}
