import type { Workflow } from "../core/plan/workflow.ts";
import { oneLine } from "../system/text/plain-text.ts";
import type { CompletedLoop } from "./completion-text.ts";
import { verdictBox } from "./verdict-box.ts";
import { deliveryText, workflowStatus } from "./plan.ts";
import type { WorkflowTask } from "./plan.ts";

const HEADS = {
  verified: "All tasks verified:",
  weak: "All tasks done, some on weak evidence:",
  unverified: "All tasks done, some unverified:",
} as const;

const MARKS = { verified: "✓", weak: "✓", unverified: "○" } as const;

/** The end of a plan: each task with its mark, where the work is, and the verdict. */
export function planCompleteText(loop: CompletedLoop, workflow: Workflow): string {
  const tasks = workflowStatus(loop)?.tasks ?? [];
  const delivery = deliveryText(workflow);
  return [
    "<loop-complete>",
    HEADS[loop.confidence],
    ...tasks.map(taskLine),
    ...whyNotVerified(loop),
    ...(delivery === null ? [] : ["", delivery]),
    "",
    verdictBox(loop.confidence, tasks, loop.stages),
    "</loop-complete>",
  ].join("\n");
}

function whyNotVerified({ confidence, why }: CompletedLoop): readonly string[] {
  if (confidence === "verified" || why.length === 0) return [];
  return ["", `Why it is ${confidence}:`, ...why.map((each) => `- ${oneLine(each, 300)}`)];
}

function taskLine({ id, subject, confidence, setbacks }: WorkflowTask): string {
  const sure = confidence ?? "unverified";
  const notes = [
    ...(sure === "verified" ? [] : [sure]),
    ...(setbacks === 0 ? [] : [setbacks === 1 ? "after 1 setback" : `after ${setbacks} setbacks`]),
  ];
  return `- ${id}: ${MARKS[sure]} ${oneLine(subject, 120)}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`;
}
