import { DEFAULT_TIMEOUT_MS } from "../../core/loop/criterion.ts";
import type { Loop } from "../../core/loop/loop.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { wavesOf, criticalPath } from "../../core/plan/graph.ts";
import { waves } from "../../core/plan/workflow.ts";
import type { CriticalPath } from "../../core/plan/graph.ts";
import type { DraftedPlan, PlanIssue } from "../../core/plan-files/drafted-plan.ts";
import { hasErrors, lintPlan } from "../../core/plan-files/lint-plan.ts";
import { planned, proposeSplit } from "../../core/plan-files/drafted-plan.ts";

export interface PlanApproval {
  /** Of the whole text: where nobody can be asked, a plan is approved by naming it. */
  readonly digest: string;
  readonly isApproved: boolean;
}

/** What `loop plan` knows of a plan. */
export interface PlanReport {
  /** As people call it: a path, or where else it is from. */
  readonly name: string;
  readonly draft: DraftedPlan;
  readonly approval: PlanApproval;
  readonly issues: readonly PlanIssue[];
  /** null: it has errors, and nothing can be said of its order. */
  readonly order: PlanOrder | null;
  /** Who made it; null: somebody wrote it. */
  readonly maker: PlanMaker | null;
}

/** A model that was asked for the tasks. */
export interface PlanMaker {
  readonly agent: string;
  readonly spend: Loop["spend"];
}

export interface PlanOrder {
  readonly waves: readonly Plan["tasks"][];
  readonly path: CriticalPath;
  readonly split: readonly (readonly string[])[] | null;
}

export function reportOn(
  name: string,
  draft: DraftedPlan,
  approval: PlanApproval,
  maker: PlanMaker | null = null,
): PlanReport {
  const issues = lintPlan(draft);
  return { name, draft, approval, issues, order: hasErrors(issues) ? null : orderOf(draft), maker };
}

function orderOf(draft: DraftedPlan): PlanOrder {
  const plan = planned(draft, { isApproved: () => false, timeoutMs: DEFAULT_TIMEOUT_MS });
  return { waves: waves(plan), path: criticalPath(plan.tasks), split: proposeSplit(plan.tasks) };
}

/** `loop plan --json`. Names are public. */
export function planJson({ name, draft, approval, issues, order, maker }: PlanReport): object {
  const levels = order === null ? null : wavesOf(order.waves.flat());
  return {
    plan: name,
    digest: approval.digest,
    approved: approval.isApproved,
    agent: maker?.agent ?? null,
    costUsd: maker === null ? null : maker.spend.usd,
    tasks: draft.tasks.map(({ id, subject, description, verify, blockers, files, estimateMs, line }) => ({
      id,
      subject,
      description,
      verify: verify?.command ?? null,
      proposed: verify?.isProposed ?? false,
      blockedBy: blockers.map((each) => each.id),
      files,
      estimateMs,
      wave: levels?.get(id) ?? null,
      line,
    })),
    done: draft.done.map(({ id }) => id),
    waves: order?.waves.map((wave) => wave.map(({ id }) => id)) ?? null,
    criticalPath: order?.path ?? null,
    split: order?.split ?? null,
    issues,
  };
}
