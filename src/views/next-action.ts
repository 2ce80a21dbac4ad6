import { elapsedMs, isDriven, isWorkflow, topFrame, type Loop } from "../core/loop/loop.ts";
import { isCommitDue } from "../core/loop/commit.ts";
import { lackedUsd, usedUp, type UsedUp } from "../core/loop/limits.ts";
import { isReviewDue, openFindings } from "../core/stages/asking.ts";
import { stageOf } from "../core/stages/stages.ts";
import { flagsIn } from "../core/stop/status-block.ts";
import { taskState, type TaskState, type Workflow } from "../core/plan/workflow.ts";
import { plainWork } from "./task.ts";
import { nameList } from "./shortened.ts";
import { oneLine } from "../system/text/plain-text.ts";

/** What should happen next, in a few words. */
export function nextAction(loop: Loop, unmet: readonly string[]): string {
  const frame = topFrame(loop);
  switch (loop.phase) {
    case "completed":
      return isCommitDue(loop) ? `loop continue --loop ${loop.id}` : "nothing";
    case "cancelled":
      return "nothing";
    case "paused":
      return resumeCommand(loop);
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
  const needed = loop.reason === "budget" || loop.reason === "iterations" ? usedUp(loop, loop.updatedAt) : [];
  const allowed = loop.reason === "blocked" ? flagsIn(loop.detail) : [];
  return ["loop continue", ...needed.map((limit) => `--${limit}=${givenOf(loop, limit)}`), ...allowed].join(
    " ",
  );
}

const USUAL_ITERATIONS = 10;

/** With money for one alone, a plan pauses as soon as that one has cost it. */
const MORE_ATTEMPTS = 2;

/** As much as was given before; more, if it would only be used up already. */
function givenOf(loop: Loop, limit: UsedUp): number {
  const { budgetUsd, tokens, minutes } = loop.limits;
  const { spend, updatedAt } = loop;
  switch (limit) {
    case "budget":
      return inCents(Math.max(enough(budgetUsd ?? 0, spend.usd), lackedUsd(loop, MORE_ATTEMPTS)));
    case "max-tokens":
      return enough(tokens ?? 0, spend.tokens);
    case "max-minutes":
      return enough(minutes ?? 0, Math.ceil(elapsedMs(loop, updatedAt) / 60_000));
    case "iterations":
      // A limit of 0 is no amount that somebody would give again.
      return topFrame(loop).iterationLimit || USUAL_ITERATIONS;
  }
}

function enough(given: number, used: number): number {
  return used < 2 * given ? given : used;
}

/** Never less, but for what a computer's arithmetic adds. */
function inCents(usd: number): number {
  return Math.ceil(usd * 100 - 1e-6) / 100;
}
