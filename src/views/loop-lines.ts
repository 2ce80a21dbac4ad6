import { persistenceIn, fitScore } from "../core/spec/shape.ts";
import { oneLine, wholeWords } from "../system/text/plain-text.ts";
import type { Frame, Loop } from "../core/loop/loop.ts";
import { isWorkflow, topFrame } from "../core/loop/loop.ts";
import { isFinalTask } from "../core/plan/plan.ts";
import { circlingTasks, isDone, lastAttempt } from "../core/plan/workflow.ts";
import { costText, dollars } from "./cost.ts";
import { butHidden, failedHoldouts, unmetNames } from "./criterion.ts";
import { counted } from "../system/text/quantities.ts";
import { isAboutTests, isQuestion, RESTORE } from "./needs.ts";
import { nextAction, resumeCommand } from "./next-action.ts";
import { countOf, plainWork } from "./task.ts";
import { shapeName } from "./shape.ts";
import { nameList } from "./shortened.ts";
import { reviewsText } from "./review.ts";
import { progressText } from "./plan.ts";
import { stageOf } from "../core/stages/stages.ts";
import { WAY_OUT } from "./prompts/hold.ts";

export function startingLine(loop: Loop): string {
  const budget = loop.limits.budgetUsd === null ? "none" : dollars(loop.limits.budgetUsd);
  const folder = loop.folder === "" ? "" : ` | Folder: ${oneLine(loop.folder, 120)}`;
  const frame = topFrame(loop);
  const plain = plainWork(frame);
  const work = isWorkflow(loop)
    ? workOf(loop, frame)
    : `${plain.unit === "tasks" ? "Tasks" : "Steps"}: ${countOf(plain)}`;
  return `[LOOP] Starting | Shape: ${shapeName(loop.shape)} (${loop.score.total}/10) | ${work} | Budget: ${budget}${folder}${insistence(loop)}`;
}

/** Why a loop doesn't ask, although its score would have it ask after each iteration. */
function insistence(loop: Loop): string {
  const said = loop.shape === "tool" && loop.score.total < 8 ? persistenceIn(topFrame(loop).spec) : null;
  return said === null ? "" : ` | Doesn't ask: you said "${oneLine(said, 60)}"`;
}

/** How many tasks there are is known once there is a plan. */
function workOf(loop: Loop, { tasks }: Frame): string {
  if (loop.workflow === null) return `Fit: ${fitOf(loop)}`;
  const own = tasks.filter(({ id }) => !isFinalTask(id)).length;
  return `Tasks: ${own}${own === tasks.length ? "" : " and the plan's own checks"}`;
}

/** `iteration`: the one that begins; the last one that ended, if none is given. */
export function iterationLine(
  loop: Loop,
  iteration = topFrame(loop).iteration,
  step = stepAtWork(topFrame(loop)),
): string {
  const frame = topFrame(loop);
  return `[LOOP] Iteration ${iteration}/${frame.iterationLimit ?? "∞"} | Cost: ${costText(loop)} | Step: ${wholeWords(step, 80)}`;
}

function stepAtWork(frame: Frame): string {
  const { atWork, left } = plainWork(frame);
  return atWork[0] ?? left[0] ?? frame.spec;
}

export function stepDoneLine(loop: Loop, name: string): string {
  const { steps } = topFrame(loop);
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done)?.name;
  return `[LOOP] ✓ ${oneLine(name, 80)} complete | Progress: ${done}/${steps.length} | Next: ${next === undefined ? "none" : oneLine(next, 80)}`;
}

/** `isNamed`: several loops are open, so a command has to name this one. */
export function pausedText(loop: Loop & { readonly phase: "paused" }, isNamed = false): string {
  const named = isNamed ? ` --loop ${loop.id}` : "";
  return [
    `[LOOP] ⏸ Paused: ${loop.reason}${loop.detail === null ? "" : ` (${oneLine(loop.detail, 300)})`}`,
    progressLine(loop),
    ...criteriaLine(loop),
    ...firstLine(loop, named),
    // Whoever only resumes pays for a turn without an answer.
    ...(isQuestion(loop) ? [`Answer: loop continue${named} --say "YOUR ANSWER"`] : []),
    // What it paused over says how to accept the change.
    ...(isAboutTests(loop) ? [`If it isn't: loop continue${named} --say "${RESTORE}"`] : []),
    `Resume: ${resumeCommand(loop)}${named}`,
    ...(isUnsaid(loop) ? [`Ask: loop continue${named} --say "Every check passes. Is it finished?"`] : []),
    ...givenUpLines(loop, named),
  ].join("\n");
}

/** Only the agent's word is missing, and resuming alone doesn't ask for it. */
function isUnsaid(loop: Loop & { readonly phase: "paused" }): boolean {
  const { criteria, exitRule, exitSignal } = topFrame(loop);
  const isWaiting = loop.reason === "no-progress" && loop.driven !== null && !isWorkflow(loop);
  return (
    isWaiting &&
    exitRule === "criteria" &&
    !exitSignal &&
    criteria.length > 0 &&
    unmetNames(loop).length === 0 &&
    failedHoldouts(loop).length === 0
  );
}

/** What has to happen before resuming makes sense. */
function firstLine(loop: Loop & { readonly phase: "paused" }, named: string): readonly string[] {
  if (loop.reason === "must-not") {
    // Only a run keeps the files from before each iteration.
    const undo =
      loop.driven === null ? "put it right" : `loop undo --loop ${loop.id}, or put it right yourself`;
    return [`First: ${undo}; until then, resuming only pauses again`];
  }
  const [circling] = loop.workflow === null ? [] : circlingTasks(loop.workflow);
  if (circling === undefined) return [];
  return [
    `First: loop task retry ${circling}${named} --say "WHAT TO DO", or leave it out: loop task skip ${circling}${named}`,
  ];
}

/** What else a person can do about tasks that failed. */
function givenUpLines(loop: Loop & { readonly phase: "paused" }, named: string): readonly string[] {
  const { workflow } = loop;
  const failed = workflow?.givenUp.find(({ task }) => lastAttempt(workflow, task) !== null);
  if (workflow === null || failed === undefined) return [];
  const isSomeDone = workflow.plan.tasks.some(({ id }) => isDone(workflow, id));
  return [
    ...(firstLine(loop, named).length > 0
      ? []
      : [`Try it again: loop task retry ${failed.task}${named} --say "WHAT TO DO"`]),
    ...(isSomeDone ? [`Deliver what is done: loop continue${named} --deliver done`] : []),
  ];
}

/** In steps or tasks, or in the stages of a workflow that has no tasks yet. */
function progressLine(loop: Loop): string {
  if (isWorkflow(loop) && loop.workflow === null)
    return `Progress: in the stage ${stageOf(loop) ?? ""}, no plan yet`;
  const work = plainWork(topFrame(loop));
  return `Progress: ${work.unit === "tasks" ? counted(work.done.length, "task") : `${work.done.length} steps`} complete, ${countOf(work) - work.done.length} remaining`;
}

/** For a loop without steps, whose progress is in its criteria. */
function criteriaLine(loop: Loop & { readonly phase: "paused" }): readonly string[] {
  const frame = topFrame(loop);
  const { length } = frame.criteria;
  if (length === 0 || isWorkflow(loop) || countOf(plainWork(frame)) > 0) return [];
  if (loop.reason === "must-not") return ["Criteria: none counts until that is undone"];
  return [`Criteria: ${length - unmetNames(loop).length} of ${length} met${butHidden(loop)}`];
}

/** Reminds an agent that its conversation has a loop, and of its way out. */
export function resumeForAgent(loop: Loop, unmet: readonly string[]): string {
  const text = resumeAnnouncement(loop, unmet);
  return isWorkflow(loop) ? text : `${text}\n${WAY_OUT}`;
}

/** Tells the user where a loop stands that goes on. */
export function resumeAnnouncement(loop: Loop, unmet: readonly string[]): string {
  const frame = topFrame(loop);
  if (isWorkflow(loop)) return resumedPlan(loop);
  const work = plainWork(frame);
  const pending = work.unit === "tasks" ? [...work.atWork, ...work.left] : [];
  return [
    "[LOOP RESUME] Active loop detected",
    `Spec: ${oneLine(frame.spec, 300)}`,
    `Progress: ${work.done.length}/${countOf(work)} ${work.unit} | Iteration: ${frame.iteration}`,
    ...(pending.length === 0 ? [] : [`Pending tasks: ${nameList(pending)}`]),
    ...(pending.length > 0 && frame.criteria.length === 0
      ? []
      : [
          `Unmet criteria: ${unmet.length === 0 ? "none" : unmet.map((name) => oneLine(name, 120)).join(", ")}`,
        ]),
    `Next: ${nextAction(loop, unmet)}`,
  ].join("\n");
}

function resumedPlan(loop: Loop): string {
  return [
    "[LOOP RESUME] Active loop detected",
    `Stage: ${stageOf(loop) ?? ""} | Spec: ${loop.score.total}/10 | Fit: ${fitOf(loop)}`,
    `Progress: ${progressText(loop)} tasks | Wave: ${loop.workflow?.wavesBegun ?? 0}`,
    `Reviews: ${reviewsText(loop.stages)}`,
    `Next: ${nextAction(loop, [])}`,
  ].join("\n");
}

/** How well a spec fits a workflow, with what earlier loops of the project add to it. */
export function fitOf({ score, recall }: Pick<Loop, "score" | "recall">): number {
  return fitScore(score, recall?.familiarity ?? 0);
}
