import { standardOf } from "../core/criterion.ts";
import type { Loop } from "../core/loop.ts";
import { begunIteration, isWorkflow, topFrame } from "../core/loop.ts";
import { stageOf } from "../core/stages/stages.ts";
import type { CriterionRow } from "./criterion.ts";
import { NO_CHECK, rowOf } from "./criterion.ts";
import { costText } from "./cost-text.ts";
import { inMarkdown } from "./in-markdown.ts";
import { countOf, plainWork } from "./task.ts";
import { planProgress } from "./plan-progress.ts";
import { workflowStatus } from "./plan.ts";

/** `PROGRESS.md`: for people. */
export function progressView(loop: Loop): string {
  const plan = workflowStatus(loop);
  if (plan !== null) return planProgress(loop, plan, phaseText(loop));
  const frame = topFrame(loop);
  const criteria = frame.criteria.map((each) => rowOf(each, standardOf(loop)));
  const isOpen = loop.phase === "active" || loop.phase === "paused";
  const work = plainWork(frame, isOpen);
  const met = criteria.filter(({ status }) => status === "met");
  return [
    `# Loop Progress: ${inMarkdown(frame.spec, 120)}`,
    "",
    `**Status:** ${phaseText(loop)} | ${whereText(loop)} | Cost: ${costText(loop)}`,
    ...section(
      "## ✅ Completed",
      work.done.map((name) => `- [x] ${inMarkdown(name)}`),
    ),
    ...section(
      "## 🔄 In Progress",
      work.atWork.map((name) => `- [ ] ${inMarkdown(name)}`),
    ),
    ...section(
      "## ⏳ Pending",
      work.left.map((name) => `- [ ] ${inMarkdown(name)}`),
    ),
    ...section("## 🎯 Criteria", criteria.map(criterionLine)),
    "",
    "## 📊 Metrics",
    `- ${work.unit === "tasks" ? "Tasks" : "Steps"}: ${work.done.length}/${countOf(work)} complete`,
    ...(work.unit === "tasks" && criteria.length === 0
      ? []
      : [`- Criteria: ${met.length}/${criteria.length} met`]),
    `- Stuck count: ${frame.breakers.stuck.count}`,
    "",
  ].join("\n");
}

/** A workflow without a plan is in a stage, and has no iterations yet. */
function whereText(loop: Loop): string {
  return isWorkflow(loop) ? `Stage: ${stageOf(loop) ?? ""}` : `Iteration ${begunIteration(loop)}`;
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

function criterionLine({ name, status, command }: CriterionRow): string {
  const how = command === null ? `, ${NO_CHECK}` : "";
  return `- [${status === "met" ? "x" : " "}] ${inMarkdown(name)} (${status}${how})`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", title, ...lines];
}
