import { DEFAULT_TIMEOUT_MS } from "../../core/loop/criterion.ts";
import type { Loop } from "../../core/loop/loop.ts";
import type { Plan, PlannedTask } from "../../core/plan/plan.ts";
import { wavesOf, criticalPath, type CriticalPath } from "../../core/plan/graph.ts";
import { waves } from "../../core/plan/workflow.ts";
import type { DraftedPlan, PlanIssue } from "../../core/plan-files/drafted-plan.ts";
import { hasErrors, lintPlan } from "../../core/plan-files/lint-plan.ts";
import { planned, proposeSplit } from "../../core/plan-files/drafted-plan.ts";
import { counted } from "../../system/text/quantities.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { wrapped } from "../../system/text/display-width.ts";
import { roughly, wholeCommand } from "./task-text.ts";
import type { Terminal } from "./terminal.ts";

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

interface PlanOrder {
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

export const PLAN_EXAMPLE = `A plan is Markdown (or JSON) with a task for each step, for example:

  ### T-001: Add the schema for tokens
  verify: npm test -- schema

  ### T-002: Validate tokens at login
  blocked by: T-001
  verify: npm test -- login

A checklist works too: - [ ] T-001: Add the schema. Verify: npm test`;

const MOST_ISSUES = 100;

/** A plan for people: its waves, its longest path, what is wrong with it. */
export function planText(terminal: Terminal, report: PlanReport): string {
  const { name, draft, issues, order } = report;
  const parts = [
    ...(order === null
      ? []
      : [summaryOf(report, order), ...order.waves.map(waveText(terminal, draft)), pathText(order)]),
    ...(draft.done.length === 0 ? [] : [`Already done: ${draft.done.map(({ id }) => id).join(", ")}`]),
    ...(issues.length === 0 ? [] : [issuesText(terminal, name, issues)]),
    ...(order?.split ? [splitText(terminal, order.split)] : []),
  ];
  return parts.join("\n\n");
}

function summaryOf({ name, draft }: PlanReport, { waves }: PlanOrder): string {
  const checked = draft.tasks.filter(({ verify }) => verify?.isProposed === false).length;
  return `${oneLine(name, 120)}: ${counted(draft.tasks.length, "task")} in ${counted(waves.length, "wave")}, ${checked} of them with a check`;
}

function waveText(
  terminal: Terminal,
  draft: PlanReport["draft"],
): (tasks: readonly PlannedTask[], index: number) => string {
  const { paint } = terminal;
  const proposals = new Set(draft.tasks.flatMap(({ id, verify }) => (verify?.isProposed === true ? id : [])));
  return (tasks, index) =>
    [
      paint("bold", `Wave ${index + 1}`),
      ...tasks.flatMap(({ id, subject, proposed, blockedBy, files }) => [
        `  ${id}  ${oneLine(subject, 200)}`,
        proposed === null
          ? `    ${paint("yellow", "no check: it stays unverified")}`
          : proposals.has(id)
            ? `    ${paint("yellow", "proposed:")} ${wholeCommand(proposed)}`
            : `    check: ${wholeCommand(proposed)}`,
        ...(blockedBy.length === 0 ? [] : [`    ${paint("dim", `blocked by ${blockedBy.join(", ")}`)}`]),
        ...(files.length === 0 ? [] : [`    ${paint("dim", `files: ${oneLine(files.join(", "), 200)}`)}`]),
      ]),
    ].join("\n");
}

function pathText({ path: { ids, estimateMs } }: PlanOrder): string {
  const shown = ids.length > 20 ? [...ids.slice(0, 19), `… ${ids.length - 19} more`] : ids;
  const time = estimateMs === null ? "" : `, about ${roughly(estimateMs)}`;
  return `Longest path: ${shown.join(" → ")} (${counted(ids.length, "task")}${time})`;
}

/** Errors come first where not all are shown. */
function issuesText(terminal: Terminal, name: string, issues: readonly PlanIssue[]): string {
  const line = (issue: PlanIssue): string => issueLine(terminal, name, issue);
  if (issues.length <= MOST_ISSUES) return issues.map(line).join("\n");
  const shown = issues
    .toSorted((one, other) => one.severity.localeCompare(other.severity))
    .slice(0, MOST_ISSUES);
  return [...shown.map(line), `… and ${issues.length - MOST_ISSUES} more; --json has them all`].join("\n");
}

function issueLine({ paint }: Terminal, name: string, { line, severity, text }: PlanIssue): string {
  const label = paint(severity === "error" ? "red" : "yellow", severity);
  return `${oneLine(name, 120)}:${line}: ${label}: ${oneLine(text, 400)}`;
}

function splitText({ width }: Terminal, split: readonly (readonly string[])[]): string {
  const lines = split.map((ids, index) => {
    const text = `${index + 1}. ${counted(ids.length, "task")}: ${ids.join(", ")}`;
    return `  ${wrapped(text, width - 2, "     ")}`;
  });
  return ["It could be several plans, one after the other:", ...lines].join("\n");
}
