import type { Loop } from "../core/loop/loop.ts";
import { topFrame } from "../core/loop/loop.ts";
import { stageOf } from "../core/stages/stages.ts";
import type { PlannedTask } from "../core/plan/plan.ts";
import type { Setback, Workflow } from "../core/plan/workflow.ts";
import { isGivenUp, waves } from "../core/plan/workflow.ts";
import { oneLine, wholeWords } from "../system/text/plain-text.ts";
import { counted } from "../system/text/quantities.ts";
import { failureLine } from "../core/plan/failure-text.ts";
import { costText } from "./cost-text.ts";

export function waveLine(loop: Loop, wave: number, tasks: number): string {
  const { iteration, iterationLimit } = topFrame(loop);
  return `[LOOP] Wave ${wave} | Iteration ${iteration}/${iterationLimit ?? "∞"} | Cost: ${costText(loop)} | Tasks: ${tasks}`;
}

/** `wave 1 of 2`, or that there are two. */
export function wavesText(wave: number, waves: number): string {
  return wave === 0 ? `${counted(waves, "wave")}, none begun` : `wave ${wave} of ${waves}`;
}

/** Where a plan stands, for somebody who begins to watch. */
export function planLine(loop: Loop): string {
  const { wavesBegun = 0 } = loop.workflow ?? {};
  return `[LOOP] Wave ${wavesBegun} | Cost: ${costText(loop)} | Progress: ${progressText(loop)}`;
}

/** A workflow on its way to a plan. */
export function stageLine(loop: Loop): string {
  return `[LOOP] Stage: ${stageOf(loop) ?? ""} | Cost: ${costText(loop)}`;
}

export function waveDoneLine(loop: Loop, wave: number): string {
  const tasks = loop.workflow === null ? [] : (waves(loop.workflow.plan)[wave - 1] ?? []);
  const givenUp = tasks.filter(({ id }) => loop.workflow !== null && isGivenUp(loop.workflow, id));
  if (givenUp.length === 0) return `[LOOP] ✓ Wave ${wave} complete | Progress: ${progressText(loop)}`;
  return `[LOOP] ✗ Wave ${wave} ended, ${givenUp.length} of ${tasks.length} tasks given up | Progress: ${progressText(loop)}`;
}

export function progressText(loop: Loop): string {
  const { tasks } = topFrame(loop);
  return `${tasks.filter(({ status }) => status === "completed").length}/${tasks.length}`;
}

export function taskLabel({ id, subject }: PlannedTask): string {
  return `${id} ${wholeWords(subject, 80)}`;
}

const SETBACK_TEXTS = {
  failed: "the attempt failed",
  conflict: "its result conflicts with what was merged meanwhile",
  "red-together": "it passes alone and fails after the merge",
  lost: "its work was lost",
  setup: "its worktree could not be set up",
} as const;

export function setbackText({ kind, detail }: Pick<Setback, "kind" | "detail">): string {
  // The first line names the files that conflict; git only says it again.
  const telling = kind === "conflict" ? (detail.split("\n")[0] ?? "") : failureLine(detail);
  const why = oneLine(telling, 200);
  return `${SETBACK_TEXTS[kind]}${why === "" ? "" : `: ${why}`}`;
}

/** Where the work is now; null: it isn't at its end, or there is no branch. */
export function deliveryText({
  branch,
  delivered,
  deliveredFrom,
}: Pick<Workflow, "branch" | "delivered" | "deliveredFrom">): string | null {
  if (branch === null || delivered === null) return null;
  if (delivered.how === "left") return `The work is on the branch ${branch.name}: ${delivered.why ?? ""}`;
  const user = branch.userBranch ?? "Your branch";
  const what =
    branch.tip === branch.from
      ? `The tasks changed nothing, so ${user} stays as it was.`
      : deliveredFrom === null
        ? `${user} has the work of all tasks.`
        : `${user} was fast-forwarded to the work of all tasks.`;
  return `${what} Its branch can go: git branch -d ${branch.name}`;
}
