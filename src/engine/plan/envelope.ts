import { topFrame, type Loop } from "../../core/loop/loop.ts";
import { isFinalTask, type PlannedTask } from "../../core/plan/plan.ts";
import { attemptsOf, failuresOf, setbacksOf, type Attempt, type Workflow } from "../../core/plan/workflow.ts";
import type { AttemptEnvelope } from "./executor.ts";
import { failuresTold } from "../../core/plan/shown-task.ts";
import { randomInt } from "node:crypto";
import type { EventOf } from "../../core/events/event.ts";
import { createLoopId } from "../../core/loop/id.ts";
import type { StartStep } from "../../core/plan/step.ts";
import type { Workspace } from "./workspace.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AgentChoice } from "../run/agent-choice.ts";
import { wordsFor } from "../../core/loop/words.ts";
import { wordsPart } from "../../views/prompts/words.ts";

/** How many iterations one attempt has; the workflow's own limit counts attempts. */
const ITERATIONS = 10;

export function envelopeOf(loop: Loop, workflow: Workflow, attempt: Attempt): AttemptEnvelope {
  const task = workflow.plan.tasks.find(({ id }) => id === attempt.task);
  if (task === undefined) throw new Error(`an attempt at ${attempt.task}, which isn't in the plan`);
  const before = attemptsOf(workflow, task.id).find(({ number }) => number === attempt.number - 1);
  return {
    version: 1,
    key: `${loop.id}/${task.id}/${attempt.number}`,
    workflow: loop.id,
    task: task.id,
    number: attempt.number,
    loop: attempt.loop,
    base: attempt.base,
    carry: before?.state.type === "set-back" ? before.state.setback.carry : null,
    worktree: attempt.worktree,
    folder: loop.folder,
    slot: attempt.slot,
    agent: attempt.agent,
    spec: attemptSpec(loop, workflow, task),
    criteria: criteriaOf(workflow, task),
    mustNots: loop.mustNots,
    protects: loop.protects,
    mayChange: loop.mayChange,
    proof: loop.proof,
    proofBudgetMs: loop.proofBudgetMs,
    limits: {
      ...loop.limits,
      budgetUsd: attempt.reservedUsd,
      // A session's agent is charged as a whole.
      tokens: attempt.reservedTokens ?? loop.limits.tokens,
    },
    turnUsd: loop.dearestTurnUsd,
    iterationLimit: ITERATIONS,
    mayBeDone: isFinalTask(task.id),
    recall: loop.recall,
  };
}

/**
 * The task's own check, and those that failed once its work was merged: an attempt can't finish while the combination is still red. Each
 * has the name of its task.
 */
function criteriaOf(workflow: Workflow, task: PlannedTask): AttemptEnvelope["criteria"] {
  const failing = new Set(setbacksOf(workflow, task.id).flatMap((setback) => setback.failing));
  failing.delete(task.id);
  const others = workflow.plan.tasks.flatMap(({ id, check }) =>
    failing.has(id) && check !== null ? [{ name: id, check }] : [],
  );
  return [...(task.check === null ? [] : [{ name: task.id, check: task.check }]), ...others];
}

/** What the agent of an attempt is asked to do: the task, what it is part of, and what earlier attempts came to. */
function attemptSpec(loop: Loop, workflow: Workflow, task: PlannedTask): string {
  const parts = [
    `${task.id}: ${task.subject}`,
    task.description,
    task.files.length === 0 ? "" : `Files: ${task.files.join(", ")}`,
    `This task is one of ${workflow.plan.tasks.length} of a larger job, which others work on at the same time in worktrees of their own. Do this task only. The larger job:\n\n${topFrame(loop).spec}`,
    decidedPart(loop),
    wordsPart(wordsFor(loop.words, task.id)),
    triedPart(workflow, task, approachFor(loop, workflow, task)),
  ];
  return parts.filter((part) => part.trim() !== "").join("\n\n");
}

function decidedPart({ stages }: Loop): string {
  const decisions = stages?.shape?.decisions ?? [];
  if (decisions.length === 0) return "";
  return `What was decided about it:\n\n${decisions.map((each) => `- ${each}`).join("\n")}`;
}

/** What was advised last, after an attempt that came to nothing or a failure of the one that runs; null: nothing. */
function approachFor({ stages }: Loop, workflow: Workflow, { id }: PlannedTask): string | null {
  const failed = attemptsOf(workflow, id).filter(
    ({ state, shortfalls = [] }) => state.type === "set-back" || shortfalls.length > 0,
  );
  const given = stages?.counsels.findLast(
    ({ task, after }) => task === id && failed.slice(-2).some(({ number }) => number === after),
  );
  return given?.approach ?? null;
}

function triedPart(workflow: Workflow, { id }: PlannedTask, approach: string | null): string {
  const failures = failuresOf(workflow, id);
  if (failures.length === 0) return "";
  const setbacks = setbacksOf(workflow, id);
  const told = failuresTold(failures);
  const tried = told.map((text, index) => {
    const kind = setbacks[index]?.kind;
    return kind === undefined
      ? `This attempt so far:\n${text}`
      : `Attempt ${index + 1}: ${REASONS[kind]}\n${text}`;
  });
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

type Start = Pick<StartStep, "slot" | "agent" | "reservedUsd" | "reservedTokens">;

/** The next attempt at a task: a new loop, on top of what is merged so far. */
export function attemptStarted(
  { pathOf }: Pick<Workspace, "pathOf">,
  workflow: Workflow,
  { id: task, subject }: PlannedTask,
  { slot, agent, reservedUsd, reservedTokens }: Start,
): EventOf<"attempt.started"> {
  const number = attemptsOf(workflow, task).length + 1;
  return {
    type: "attempt.started",
    task,
    number,
    loop: createLoopId(`${task} ${subject}`, randomInt(36 ** 3, 36 ** 4).toString(36)),
    base: workflow.branch?.tip ?? null,
    worktree: pathOf(task, number),
    slot,
    agent,
    reservedUsd,
    reservedTokens,
  };
}

/** Several attempts run at once, and each may start agents of its own. */
const SUBAGENTS = 3;

/** A rehearsal of a plan has a script an attempt: `T-001-2.json`, or `T-001.json` for all of a task's. */
export function attemptChoice(chosen: AgentChoice, { task, number }: AttemptEnvelope): AgentChoice {
  const choice = { ...chosen, subagents: chosen.subagents ?? SUBAGENTS };
  if (choice.driver !== "rehearsal" || choice.script === null) return choice;
  const own = join(choice.script, `${task}-${number}.json`);
  return { ...choice, script: existsSync(own) ? own : join(choice.script, `${task}.json`) };
}
