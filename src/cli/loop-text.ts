import type { CriterionView, StatusView } from "../views/status-view.ts";
import { dollars } from "../views/loop-lines.ts";
import { oneLine } from "../text/plain-text.ts";
import type { Style, Terminal } from "./terminal.ts";
import { padEnd } from "./terminal.ts";

const PHASE_STYLE: { readonly [phase: string]: Style } = {
  active: "cyan",
  paused: "yellow",
  completed: "green",
  aborted: "red",
  untrusted: "red",
};

/** A loop at a glance: phase and why, criteria with evidence and age, iteration, cost, what is next. */
export function renderStatus(terminal: Terminal, view: StatusView, now: number): string {
  const { paint } = terminal;
  const phase = paint(PHASE_STYLE[view.phase ?? ""] ?? "dim", view.phase ?? "unknown");
  if (view.spec === null)
    return `${phase} ${paint("bold", view.id)}\n  ${oneLine(view.reason ?? "", 300)}${nextLine(terminal, view)}`;
  const lines = [
    `${phase}${reasonText(view)} ${paint("bold", view.id)}`,
    `  ${oneLine(view.spec, terminal.width - 4)}`,
    `  ${paint("dim", summary(view))}`,
    ...criteriaLines(terminal, view.criteria, now),
    ...stepLines(terminal, view),
  ];
  if (view.session === null && view.phase === "active") {
    lines.push(
      `  ${paint("dim", "No session is bound to it, so it holds nobody: loop continue --session ID")}`,
    );
  }
  return lines.join("\n") + nextLine(terminal, view);
}

function reasonText(view: StatusView): string {
  if (view.phase === "paused")
    return ` (${view.reason}${view.detail === null ? "" : `: ${oneLine(view.detail, 200)}`})`;
  if (view.phase === "completed" && view.confidence !== "verified") return ` (${view.confidence})`;
  return "";
}

function summary(view: StatusView): string {
  const budget = view.budgetUsd === null ? "no budget" : `of ${dollars(view.budgetUsd)}`;
  const cost = `${view.costUsd === null ? "cost unknown" : dollars(view.costUsd)} ${budget}`;
  const parts = [
    `iteration ${view.iteration}/${view.iterationLimit ?? "∞"}`,
    cost,
    `${view.shape} ${view.score}/10`,
  ];
  if ((view.stuckCount ?? 0) > 0) parts.push(`stuck ${view.stuckCount}`);
  if ((view.depth ?? 1) > 1) parts.push(`${view.depth} frames deep`);
  return parts.join(" · ");
}

function criteriaLines(
  terminal: Terminal,
  criteria: readonly CriterionView[],
  now: number,
): readonly string[] {
  const names = criteria.map((each) => oneLine(each.name, 32));
  const width = Math.max(0, ...names.map((name) => name.length));
  return criteria.map((each, index) => {
    const mark = { met: terminal.paint("green", "✓"), unmet: terminal.paint("red", "✗") }[each.status] ?? "○";
    return `  ${mark} ${padEnd(names[index] ?? "", width)}  ${terminal.paint("dim", howKnown(each, now))}`;
  });
}

export function howKnown(criterion: CriterionView, now: number): string {
  const { evidence } = criterion;
  if (evidence !== null) {
    const age = ageText(now - Date.parse(evidence.at));
    const notes = [`${oneLine(evidence.ending, 120)}, ${age}`];
    if (criterion.attribution !== null && criterion.attribution !== "clean")
      notes.push(criterion.attribution);
    if (criterion.alreadyTrue) notes.push("already true");
    if (criterion.void) notes.push("void: protected files changed");
    else if (!evidence.current && evidence.exitCode === 0) notes.push("on another tree");
    return `${oneLine(evidence.command, 40)}: ${notes.join(", ")}`;
  }
  if (criterion.check !== null) return `${oneLine(criterion.check, 40)}: not run yet`;
  return criterion.verification === null
    ? "no check configured"
    : `no check configured, attested by ${criterion.verification}`;
}

function stepLines(terminal: Terminal, view: StatusView): readonly string[] {
  if (view.steps.length === 0) return [];
  const done = view.steps.filter((step) => step.status === "done").length;
  return [`  ${terminal.paint("dim", `steps ${done}/${view.steps.length}`)}`];
}

function nextLine(terminal: Terminal, view: StatusView): string {
  if (view.next === null || view.next === "nothing") return "";
  return `\n  ${terminal.paint("dim", "next:")} ${oneLine(view.next, terminal.width - 10)}`;
}

/** `just now`, `12 s ago`, `3 min ago`, `2 h ago`, `4 d ago`. */
function ageText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 2) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}
