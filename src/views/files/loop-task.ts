import { describeCheck } from "../../core/loop/criterion.ts";
import type { Loop } from "../../core/loop/loop.ts";
import { oneLine, wholeWords } from "../../system/text/plain-text.ts";
import { exactDollars } from "../cost.ts";
import { errorsOf } from "../status.ts";

/** A plain loop as a task in the list of its client. */
export function loopTaskText(loop: Loop): { subject: string; description: string; activeForm: string } {
  const [{ spec, criteria }] = loop.frames;
  const summary = wholeWords(spec, 80);
  const listed = criteria.map(
    ({ name, check }) =>
      `- ${oneLine(name, 200)}${check === null ? "" : `: ${oneLine(describeCheck(check), 200)}`}`,
  );
  return {
    subject: `Complete: ${summary}`,
    description: [spec, ...(listed.length === 0 ? [] : ["", "Success criteria:", ...listed])].join("\n"),
    activeForm: `Completing: ${summary}`,
  };
}

/** What the task says about its loop, for programs. */
export function loopTaskNotes(loop: Loop): {
  readonly stuckCount: number;
  readonly iteration: number;
  readonly cost: number;
  readonly [key: string]: unknown;
} {
  const [{ iteration, iterationLimit, steps, criteria, breakers }] = loop.frames;
  return {
    stuckCount: breakers.stuck.count,
    iteration,
    cost: exactDollars(loop.spend.usd),
    shape: loop.shape,
    budget: loop.limits.budgetUsd,
    maxIterations: iterationLimit,
    startedAt: new Date(loop.openedAt).toISOString(),
    lastCheckpoint: new Date(loop.activeAt).toISOString(),
    completedSteps: steps.filter(({ done }) => done).map(({ name }) => name),
    remainingSteps: steps.filter(({ done }) => !done).map(({ name }) => name),
    errors: errorsOf(criteria),
  };
}
