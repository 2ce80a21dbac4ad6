import type { Criterion, Standard } from "../core/criterion.ts";
import { statusOf, standardOf } from "../core/criterion.ts";
import type { Loop } from "../core/loop.ts";
import { begunIteration, topFrame } from "../core/loop.ts";
import { costText } from "./loop-lines.ts";
import { oneLine } from "../text/plain-text.ts";

/** `PROGRESS.md`: for people. */
export function progressView(loop: Loop): string {
  const frame = topFrame(loop);
  const standard = standardOf(loop);
  const done = frame.steps.filter((step) => step.done);
  const left = frame.steps.filter((step) => !step.done);
  const isOpen = loop.phase === "active" || loop.phase === "paused";
  const met = frame.criteria.filter((criterion) => statusOf(criterion, standard) === "met");
  return [
    `# Loop Progress: ${inMarkdown(frame.spec, 120)}`,
    "",
    `**Status:** ${phaseText(loop)} | Iteration ${begunIteration(loop)} | Cost: ${costText(loop)}`,
    ...section(
      "## ✅ Completed",
      done.map((step) => `- [x] ${inMarkdown(step.name)}`),
    ),
    ...section(
      "## 🔄 In Progress",
      left.slice(0, isOpen ? 1 : 0).map((step) => `- [ ] ${inMarkdown(step.name)}`),
    ),
    ...section(
      "## ⏳ Pending",
      left.slice(isOpen ? 1 : 0).map((step) => `- [ ] ${inMarkdown(step.name)}`),
    ),
    ...section(
      "## 🎯 Criteria",
      frame.criteria.map((criterion) => criterionLine(criterion, standard)),
    ),
    "",
    "## 📊 Metrics",
    `- Steps: ${done.length}/${frame.steps.length} complete`,
    `- Criteria: ${met.length}/${frame.criteria.length} met`,
    `- Stuck count: ${frame.breakers.stuck.count}`,
    "",
  ].join("\n");
}

function phaseText(loop: Loop): string {
  switch (loop.phase) {
    case "paused":
      return `Paused: ${loop.reason}`;
    case "completed":
      return loop.confidence === "verified" ? "Completed" : `Completed, ${loop.confidence}`;
    case "active":
      return "Active";
    case "cancelled":
      return "Cancelled";
  }
}

function criterionLine(criterion: Criterion, standard: Standard): string {
  const status = statusOf(criterion, standard);
  const how = criterion.check === null ? ", no check configured" : "";
  return `- [${status === "met" ? "x" : " "}] ${inMarkdown(criterion.name)} (${status}${how})`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", title, ...lines];
}

/** Text of others inside Markdown: one line, and nothing in it is markup. */
export function inMarkdown(text: string, limit = 200): string {
  return oneLine(text, limit).replace(/[\\`*_[\]<>#|!]/g, "\\$&");
}
