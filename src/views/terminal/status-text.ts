import { criterionRow, detailText, MARKS, type CriterionView } from "../criterion.ts";
import type { StatusView } from "../status.ts";
import { isWaiting, waitsUntil } from "../standing.ts";
import { listedState } from "../task.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { durationText } from "../../system/text/quantities.ts";
import { causesLine, changesLine } from "../completion.ts";
import { MARK_STYLES, criterionLine, nameWidthOf } from "./criterion-lines.ts";
import { MANY_TASKS, planLines, planSummary } from "./plan-status-text.ts";
import { tasksText } from "./task-text.ts";
import { costAmongOthers } from "../cost.ts";
import type { Style, Terminal } from "./terminal.ts";

const WIDEST_NAME = 32;
const LONGEST_COMMAND = 1_000;

const PHASE_STYLE: { readonly [phase: string]: Style } = {
  active: "cyan",
  paused: "yellow",
  completed: "green",
  aborted: "red",
  untrusted: "red",
};

/** A loop at a glance: phase and reason, criteria with evidence and age, tasks, iteration, cost, next step. */
export function statusText(terminal: Terminal, view: StatusView, now: number): string {
  const { paint } = terminal;
  const phase = paint(PHASE_STYLE[view.phase ?? ""] ?? "dim", view.phase ?? "newer");
  if (view.spec === null)
    return `${phase} ${paint("bold", view.id)}\n  ${oneLine(view.reason ?? "", 300)}${nextLine(terminal, view)}`;
  const lines = [
    `${phase}${reasonText(view, now)} ${paint("bold", view.id)}`,
    `  ${oneLine(view.spec, terminal.width - 4)}`,
    `  ${paint("dim", summary(view))}`,
    ...criteriaLines(terminal, view.criteria, now),
    ...holdoutLines(terminal, view),
    ...completionLines(terminal, view),
    ...stepLines(terminal, view),
    ...wordsLines(terminal, view),
    ...(view.workflow === null ? taskLines(terminal, view) : planLines(terminal, view.workflow, now)),
  ];
  if (view.session === null && view.phase === "active" && !isWorkflowView(view)) {
    lines.push(
      `  ${paint("dim", "Not bound to a session, so it holds nobody. Bind it with: loop continue --session ID")}`,
    );
  }
  return lines.join("\n") + nextLine(terminal, view);
}

function reasonText(view: StatusView, now: number): string {
  if (view.phase === "paused")
    return ` (${view.reason}${view.detail === null ? "" : `: ${oneLine(view.detail, 200)}`})`;
  if (view.isGone) return " (its run is gone)";
  const until = view.phase === "active" ? waitsUntil(view) : null;
  if (isWaiting(until, now))
    return ` (waits ${durationText(Date.parse(until) - now)} for a usage limit, and resumes by itself)`;
  if (view.phase === "completed" && view.confidence !== "verified") return ` (${view.confidence})`;
  return "";
}

/** Stages that come before the plan. */
const BEFORE_PLAN: ReadonlySet<string | null> = new Set(["intent", "shape", "decompose"]);

function isWorkflowView({ workflow, stage }: StatusView): boolean {
  return workflow !== null || BEFORE_PLAN.has(stage);
}

function workSummary(view: StatusView): readonly string[] {
  if (view.workflow !== null) return planSummary(view.workflow);
  return [
    isWorkflowView(view)
      ? `stage ${view.stage ?? ""}`
      : `iteration ${view.iteration}/${view.iterationLimit ?? "∞"}`,
  ];
}

function summary(view: StatusView): string {
  const parts = [
    ...workSummary(view),
    costAmongOthers(view.cost ?? "unknown"),
    `${view.shape} ${view.score}/10${isWorkflowView(view) ? `, fit ${view.fit}` : ""}`,
  ];
  if (view.folder !== null && view.folder !== "") parts.push(`in ${oneLine(view.folder, 120)}`);
  if ((view.stuckCount ?? 0) > 0 && ["active", "paused"].includes(view.phase ?? ""))
    parts.push(`stuck ${view.stuckCount}`);
  if ((view.depth ?? 1) > 1) parts.push(`${view.depth} frames deep`);
  return parts.join(" · ");
}

function criteriaLines(
  terminal: Terminal,
  criteria: readonly CriterionView[],
  now: number,
): readonly string[] {
  const width = nameWidthOf(criteria, WIDEST_NAME);
  return criteria
    .map(criterionRow)
    .map((row) => `  ${criterionLine(terminal, row, width, detailText(row, now))}`);
}

/** Tests the agent has never seen; they have no command to show. */
function holdoutLines({ paint }: Terminal, { proofs }: StatusView): readonly string[] {
  const holdouts = proofs.filter(({ kind }) => kind === "holdout");
  return holdouts.map(({ result, detail }) => {
    const mark = HOLDOUT_MARK[result];
    return `  ${paint(MARK_STYLES[mark], MARKS[mark])} ${oneLine(detail ?? "", WIDEST_NAME)}  ${paint("dim", `hidden from the agent: ${result}`)}`;
  });
}

const HOLDOUT_MARK = { stands: "met", fails: "unmet", open: "unverified" } as const;

/** Why a completion isn't certain, one line each, and what it changed. */
function completionLines(
  { paint, width }: Terminal,
  { why, changed, workflow, causes, commit }: StatusView,
): readonly string[] {
  const reasons = (workflow === null ? (why ?? []) : []).map(
    (each) => `  ${paint("yellow", "!")} ${oneLine(each, width - 6)}`,
  );
  const facts = [...causesLine(causes), ...changesLine(changed), ...commit];
  return [...reasons, ...facts.map((line) => `  ${paint("dim", oneLine(line, width - 4))}`)];
}

function stepLines(terminal: Terminal, view: StatusView): readonly string[] {
  if (view.steps.length === 0) return [];
  const done = view.steps.filter((step) => step.status === "done").length;
  return [`  ${terminal.paint("dim", `steps ${done}/${view.steps.length}`)}`];
}

const MOST_WORDS = 3;

/** What a person told the agents last. */
function wordsLines({ paint, width }: Terminal, { words, workflow }: StatusView): readonly string[] {
  return words.slice(-MOST_WORDS).map(({ text, task, heard }) => {
    const to = task === null ? "" : ` ${task}`;
    const waits = heard || workflow !== null ? "" : " (waits for the next turn)";
    return `  ${paint("dim", `told${to}:`)} ${oneLine(text, Math.max(40, width - 40))}${paint("dim", waits)}`;
  });
}

/** Of an agent's own list. Of many, those that are done are only counted. */
function taskLines(terminal: Terminal, { tasks }: StatusView): readonly string[] {
  if (tasks.length === 0) return [];
  const views = tasks.map((task) => ({
    ...task,
    state: listedState(task, tasks),
    check: null,
    confidence: null,
    doubts: [],
  }));
  const done = views.filter(({ state }) => state === "done").length;
  const shown = tasks.length > MANY_TASKS ? views.filter(({ state }) => state !== "done") : views;
  return [
    `  ${terminal.paint("dim", `tasks ${done}/${tasks.length}`)}`,
    ...(shown.length === 0
      ? []
      : tasksText(terminal, shown)
          .split("\n")
          .map((line) => `  ${line}`)),
  ];
}

function nextLine(terminal: Terminal, view: StatusView): string {
  if (view.next === null || view.next === "nothing") return "";
  // A command is there to be copied.
  const isCommand = /^(?:cd|loop) /.test(view.next);
  return `\n  ${terminal.paint("dim", "next:")} ${oneLine(view.next, isCommand ? LONGEST_COMMAND : terminal.width - 10)}${approvalLine(terminal, view)}`;
}

/** Approving comes second: whoever only copies what is next must not accept what nobody looked at. */
function approvalLine({ paint }: Terminal, { needs }: StatusView): string {
  if (needs?.refusing === undefined) return "";
  return `\n  ${paint("dim", "if the change is right:")} ${needs.commands.join(" && ")}`;
}
