import { elapsedMs, topFrame, type Loop } from "../core/loop/loop.ts";
import { lackedUsd, usedUp, type UsedUp } from "../core/loop/limits.ts";
import { circlingTasks } from "../core/plan/workflow.ts";
import { flagsIn } from "../core/stop/status-block.ts";

/** What a paused loop needs to be resumed with: more of a used-up limit, and what was denied. */
export function resumeFlags(loop: Loop & { readonly phase: "paused" }): readonly string[] {
  // Whatever it paused for: resumed with a limit used up, it would only pause again.
  const needed = usedUp(withRetries(loop), loop.updatedAt);
  const allowed = loop.reason === "blocked" ? flagsIn(loop.detail) : [];
  const program = lacksProgram(loop) ? ["--command 'PROGRAM'"] : [];
  return [...needed.map((limit) => `--${limit}=${givenOf(loop, limit)}`), ...allowed, ...program];
}

const CANNOT_RUN = /\bthe program cannot be (?:run \(exit code|started: )/;

/** Whether its agent is a program, perhaps of a plan's task, that couldn't be run: another program helps, and words don't. */
export function lacksProgram(loop: Loop & { readonly phase: "paused" }): boolean {
  return loop.reason === "blocked" && CANNOT_RUN.test(loop.detail ?? "");
}

/** As it is once a person has had the tasks tried again that go in circles: that is asked for first, and needs no more attempts. */
function withRetries(loop: Loop): Loop {
  const { workflow } = loop;
  if (workflow === null) return loop;
  const retried = circlingTasks(workflow);
  const givenUp = workflow.givenUp.filter(({ task }) => !retried.includes(task));
  return { ...loop, workflow: { ...workflow, givenUp } };
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
