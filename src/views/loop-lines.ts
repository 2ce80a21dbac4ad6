import { oneLine, wholeWords } from "../system/text/plain-text.ts";
import type { Criterion } from "../core/criterion.ts";
import { strengthOf } from "../core/criterion.ts";
import type { Loop } from "../core/loop.ts";
import { begunIteration, elapsedMs, isWorkflow, topFrame } from "../core/loop.ts";
import { durationText } from "../system/text/duration.ts";
import { attestationText, standingProofs } from "./criterion.ts";
import { costText, dollars } from "./cost-text.ts";
import type { CompletedLoop } from "./completion-text.ts";
import { changesLine } from "./completion-text.ts";
import { nextAction, resumeCommand } from "./next-action.ts";
import { countOf, plainWork } from "./task.ts";
import { shapeName } from "./files/shape.ts";
import { nameList } from "./shortened.ts";
import { reviewsText } from "./review.ts";
import { fitOf } from "./fit.ts";
import { planCompleteText } from "./plan-complete.ts";
import { progressText } from "./plan.ts";
import { stageOf } from "../core/stages/stages.ts";
import { WAY_OUT } from "./prompts/hold.ts";

export function startingLine(loop: Loop): string {
  const budget = loop.limits.budgetUsd === null ? "none" : dollars(loop.limits.budgetUsd);
  const folder = loop.folder === "" ? "" : ` | Folder: ${oneLine(loop.folder, 120)}`;
  const frame = topFrame(loop);
  const plain = plainWork(frame);
  const work = isWorkflow(loop)
    ? workOf(loop, frame.tasks.length)
    : `${plain.unit === "tasks" ? "Tasks" : "Steps"}: ${countOf(plain)}`;
  return `[LOOP] Starting | Shape: ${shapeName(loop.shape)} (${loop.score.total}/10) | ${work} | Budget: ${budget}${folder}`;
}

/** How many tasks there are is known once there is a plan. */
function workOf(loop: Loop, tasks: number): string {
  return loop.workflow === null ? `Fit: ${fitOf(loop)}` : `Tasks: ${tasks}`;
}

export function iterationLine(loop: Loop): string {
  const frame = topFrame(loop);
  const { atWork, left } = plainWork(frame);
  const step = atWork[0] ?? left[0] ?? frame.spec;
  return `[LOOP] Iteration ${frame.iteration}/${frame.iterationLimit ?? "∞"} | Cost: ${costText(loop)} | Step: ${wholeWords(step, 80)}`;
}

export function stepDoneLine(loop: Loop, name: string): string {
  const { steps } = topFrame(loop);
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done)?.name;
  return `[LOOP] ✓ ${oneLine(name, 80)} complete | Progress: ${done}/${steps.length} | Next: ${next === undefined ? "none" : oneLine(next, 80)}`;
}

/** What it took so far: `3 iterations, 4 min 10 s, $0.12/$25`; of a plan, its attempts. */
export function effortText(loop: Loop): string {
  const isPlan = isWorkflow(loop);
  const count = isPlan ? (loop.workflow?.attempts.length ?? 0) : begunIteration(loop);
  const iterations = `${count} ${isPlan ? "attempt" : "iteration"}${count === 1 ? "" : "s"}`;
  const cost = costText(loop).replace(/^unknown/, "cost unknown");
  return `${iterations}, ${durationText(elapsedMs(loop, loop.updatedAt))}, ${cost}`;
}

/** `isNamed`: several loops are open, so a command has to name this one. */
export function pausedText(loop: Loop & { readonly phase: "paused" }, isNamed = false): string {
  return [
    `[LOOP] ⏸ Paused: ${loop.reason}${loop.detail === null ? "" : ` (${oneLine(loop.detail, 300)})`}`,
    progressLine(loop),
    `Resume: ${resumeCommand(loop)}${isNamed ? ` --loop ${loop.id}` : ""}`,
  ].join("\n");
}

/** In steps or tasks, or in the stages of a workflow that has no tasks yet. */
export function progressLine(loop: Loop): string {
  if (isWorkflow(loop) && loop.workflow === null)
    return `Progress: in the stage ${stageOf(loop) ?? ""}, no plan yet`;
  const work = plainWork(topFrame(loop));
  return `Progress: ${work.done.length} ${work.unit} complete, ${countOf(work) - work.done.length} remaining`;
}

const HEADS = {
  verified: "All success criteria satisfied:",
  weak: "All success criteria satisfied, some on weak evidence:",
  unverified: "Finished, unverified: there were no criteria to verify.",
} as const;

const HEADS_WITH_TASKS = {
  verified: "All tasks done, and all success criteria satisfied:",
  weak: "All tasks done, and all success criteria satisfied, some on weak evidence:",
  unverified: "All tasks done, unverified: there were no criteria to verify.",
} as const;

/** Whether the loop is finished, in the fixed words for agents and people. */
export function completeText(loop: CompletedLoop): string {
  if (loop.workflow !== null) return planCompleteText(loop, loop.workflow);
  const { criteria, tasks } = topFrame(loop);
  const head = (tasks.length === 0 ? HEADS : HEADS_WITH_TASKS)[loop.confidence];
  const lines = [
    ...tasks.map(
      ({ id, subject, status }) =>
        `- ${oneLine(id, 40)}: ${status === "completed" ? "✓" : "○"} ${oneLine(subject, 120)}`,
    ),
    ...criteria.map((criterion) => `- ${oneLine(criterion.name, 200)}: ✓${inBrackets(loop, criterion)}`),
  ];
  const why = loop.confidence === "weak" ? loop.why.map((each) => `Weak: ${oneLine(each, 300)}`) : [];
  return ["<loop-complete>", head, ...lines, ...why, ...changesLine(loop.changed), "</loop-complete>"].join(
    "\n",
  );
}

/** Loops completed before these reasons were recorded show them by criterion. */
function inBrackets({ why }: CompletedLoop, criterion: Criterion): string {
  const proofs = standingProofs(criterion.proofs).map((each) => ` (${each})`);
  return why.length > 0 || proofs.length > 0 ? proofs.join("") : whyWeak(criterion);
}

function whyWeak({ check, evidence, attestation }: Criterion): string {
  if (check !== null) return evidence?.alteredTree === true ? " (weak: the check changes the files)" : "";
  return attestation !== null && strengthOf(attestation) === "weak"
    ? ` (weak: ${attestationText(attestation)})`
    : "";
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
