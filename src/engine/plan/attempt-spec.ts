import type { Loop } from "../../core/loop/loop.ts";
import { topFrame } from "../../core/loop/loop.ts";
import { failuresTold } from "../../core/plan/failure-text.ts";
import type { PlannedTask } from "../../core/plan/plan.ts";
import type { Setback, Workflow } from "../../core/plan/workflow.ts";
import { attemptsOf, setbacksOf } from "../../core/plan/workflow.ts";

/** What the agent of an attempt is asked to do: the task, what it is part of, and what earlier attempts came to. */
export function attemptSpec(loop: Loop, workflow: Workflow, task: PlannedTask): string {
  const parts = [
    `${task.id}: ${task.subject}`,
    task.description,
    task.files.length === 0 ? "" : `Files: ${task.files.join(", ")}`,
    `This task is one of ${workflow.plan.tasks.length} of a larger job, which others work on at the same time in worktrees of their own. Do this task only. The larger job:\n\n${topFrame(loop).spec}`,
    decidedPart(loop),
    triedPart(setbacksOf(workflow, task.id), approachFor(loop, workflow, task)),
  ];
  return parts.filter((part) => part.trim() !== "").join("\n\n");
}

function decidedPart({ stages }: Loop): string {
  const decisions = stages?.shape?.decisions ?? [];
  if (decisions.length === 0) return "";
  return `What was decided about it:\n\n${decisions.map((each) => `- ${each}`).join("\n")}`;
}

/** What was advised after the last attempt; null: nothing. */
function approachFor({ stages }: Loop, workflow: Workflow, { id }: PlannedTask): string | null {
  const last = attemptsOf(workflow, id).findLast(({ state }) => state.type === "set-back");
  const given = stages?.counsels.find(({ task, after }) => task === id && after === last?.number);
  return given?.approach ?? null;
}

function triedPart(setbacks: readonly Setback[], approach: string | null): string {
  if (setbacks.length === 0) return "";
  const told = failuresTold(setbacks.map(({ detail }) => detail));
  const tried = setbacks.map(
    ({ kind }, index) => `Attempt ${index + 1}: ${REASONS[kind]}\n${told[index] ?? ""}`,
  );
  const advice =
    approach === null
      ? "Take a different approach than the attempts above."
      : `# Another approach\n\nTake a different approach than the attempts above:\n\n${approach}`;
  return `# What was tried\n\n${tried.join("\n\n")}\n\n${advice}`;
}

const REASONS = {
  failed: "its checks did not pass.",
  conflict:
    "its result conflicts with work that was merged meanwhile. The conflict is in your files, with markers: resolve it.",
  "red-together":
    "its checks passed alone and failed after the merge. Your files are the merge: make the checks pass there.",
  lost: "its work was lost.",
  setup: "its worktree could not be set up.",
} as const;
