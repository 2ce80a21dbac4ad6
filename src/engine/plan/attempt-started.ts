import { randomInt } from "node:crypto";
import type { EventOf } from "../../core/events/event.ts";
import { createLoopId } from "../../core/loop/id.ts";
import type { PlannedTask } from "../../core/plan/plan.ts";
import type { StartStep } from "../../core/plan/step.ts";
import type { Workflow } from "../../core/plan/workflow.ts";
import { attemptsOf } from "../../core/plan/workflow.ts";
import type { Workshop } from "./workshop.ts";

type Start = Pick<StartStep, "slot" | "agent" | "reservedUsd" | "reservedTokens">;

/** The next attempt at a task: a new loop, on top of what is merged so far. */
export function attemptStarted(
  { pathOf }: Pick<Workshop, "pathOf">,
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
