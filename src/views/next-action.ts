import { isDriven, isWorkflow, topFrame, type Loop } from "../core/loop/loop.ts";
import { isCommitDue } from "../core/loop/commit.ts";
import { isReviewDue, openFindings } from "../core/stages/asking.ts";
import { stageOf } from "../core/stages/stages.ts";
import { taskState, type TaskState, type Workflow } from "../core/plan/workflow.ts";
import { plainWork } from "./task.ts";
import { nameList } from "./shortened.ts";
import { firstHelp, needsOf, NOTHING_AROUND, type Around } from "./needs.ts";
import { resumeFlags } from "./resume-flags.ts";
import { oneLine } from "../system/text/plain-text.ts";

/** What should happen next, in a few words. */
export function nextAction(loop: Loop, unmet: readonly string[], around: Around = NOTHING_AROUND): string {
  const frame = topFrame(loop);
  if (around.elsewhere !== null)
    return loop.attemptOf === null ? "nothing" : `loop status --loop ${loop.attemptOf.loop}`;
  switch (loop.phase) {
    case "completed":
      return isCommitDue(loop) ? `loop continue --loop ${loop.id}` : "nothing";
    case "cancelled":
      return "nothing";
    case "paused":
      return helpFor(loop, around);
    case "active": {
      if (isWorkflow(loop)) return nextOfWorkflow(loop);
      const step = frame.steps.find((each) => !each.done)?.name;
      if (step !== undefined) return oneLine(step, 120);
      const { atWork, left } = plainWork({ ...frame, steps: [] });
      const task = atWork[0] ?? left[0];
      if (task !== undefined) return `complete "${oneLine(task, 120)}"`;
      if (loop.saidNext !== null && unmet.length > 0) return oneLine(loop.saidNext, 120);
      if (unmet[0] !== undefined) return `meet "${oneLine(unmet[0], 120)}"`;
      if (frame.exitRule !== "criteria") return "finish, then say so";
      if (frame.criteria.length === 0) return "loop criteria add NAME --check COMMAND";
      return loop.binding === null ? driveCommand(loop) : "loop done";
    }
  }
}

/** The command that brings a loop to its end that no session is bound to. */
export function driveCommand({ id }: Pick<Loop, "id">): string {
  return `loop run --loop ${id}`;
}

function nextOfWorkflow(loop: Loop): string {
  const isSessions = loop.binding !== null && !isDriven(loop);
  const stage = stageOf(loop) ?? "intent";
  if (loop.workflow !== null && stage === "executing") return nextOfPlan(loop.workflow, isSessions);
  if (isSessions && stage === "review") return nextOfReview(loop);
  return (isSessions ? NEXT_IN_SESSION : NEXT_OF_STAGE)[stage] ?? driveCommand(loop);
}

const NEXT_OF_STAGE: { readonly [stage: string]: string } = {
  intent: "settle what is meant",
  shape: "draw the shape: criteria, must-nots and how they are verified",
  decompose: "split the work into tasks",
  review: "review the work, then deliver it",
};

/** The command with which a session's agent brings it on. */
const NEXT_IN_SESSION: { readonly [stage: string]: string } = {
  intent: "ask the user what the spec leaves open: loop answer",
  shape: "draw the shape: loop answer",
  decompose: "split the work into tasks: loop start --plan -",
};

/** The gate is judged at a stop. */
function nextOfReview(loop: Loop): string {
  const { workflow, stages } = loop;
  if (openFindings(loop).length > 0) return "decide on what the review found: loop review";
  const isDue = workflow !== null && stages !== null && isReviewDue(workflow, stages);
  return isDue ? "have the work reviewed: loop review panel" : "stop; the gate is judged then";
}

/** What the scheduler is at: merges, then what runs, then what is ready. */
function nextOfPlan(workflow: Workflow, isSessions: boolean): string {
  const inState = (state: TaskState): readonly string[] =>
    workflow.plan.tasks.filter((task) => taskState(workflow, task) === state).map(({ id }) => id);
  const withCommand = (verb: string, ids: readonly string[]): string =>
    `${verb} ${nameList(ids)}${isSessions ? `: loop task claim ${ids.join(" ")}` : ""}`;
  const merging = inState("merging");
  if (merging.length > 0) return `merge ${nameList(merging)}`;
  const atWork = inState("running");
  if (atWork.length > 0) return withCommand("finish", atWork);
  const ready = inState("ready").slice(0, workflow.parallel);
  return ready.length > 0 ? withCommand("start", ready) : "deliver the work";
}

/** The command that resumes a paused loop: it adds to a used-up limit, and allows what was denied. */
export function resumeCommand(loop: Loop & { readonly phase: "paused" }): string {
  return ["loop continue", ...resumeFlags(loop)].join(" ");
}

/** What really helps a paused loop, in the order in which to type it; its name is left out. */
function helpFor(loop: Loop & { readonly phase: "paused" }, around: Around): string {
  return firstHelp(needsOf(loop, around)).replaceAll(` --loop ${loop.id}`, "");
}
