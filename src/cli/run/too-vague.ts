import type { Loop, Shape } from "../../core/loop.ts";
import { topFrame } from "../../core/loop.ts";
import { printable } from "../../text/plain-text.ts";
import type { Context } from "../context.ts";
import { TOO_VAGUE } from "./exit-code.ts";

/** Shapes of a spec that is not worth money before somebody has answered what it leaves open. */
export function asksFirst(shape: Shape): boolean {
  return shape === "intent" || shape === "blocked";
}

/** Says why nothing is run, and what would have to be answered. */
export function refuse({ terminal, endWith }: Context, why: string, questions: readonly string[]): null {
  terminal.complain(`loop: ${why}`);
  for (const question of questions) terminal.complain(`  ? ${printable(question)}`);
  endWith(TOO_VAGUE);
  return null;
}

/** Opened by a command that refuses nothing, and left without a check. What was driven once was let through then. */
export function isTooVague(loop: Loop): boolean {
  return (
    asksFirst(loop.shape) &&
    loop.driven === null &&
    topFrame(loop).criteria.every(({ check }) => check === null)
  );
}

/** Nothing amends the spec of a loop that is open, so answers have to come with another one. */
export function refuseLoop(context: Context, { id, score }: Loop): null {
  return refuse(
    context,
    `The loop ${id} was opened with too vague a spec to run (${score.total}/10), which stays as it is; give it a check with loop criteria add NAME --check COMMAND --loop ${id}, or end it with loop cancel --loop ${id} and run a spec that answers these:`,
    score.questions,
  );
}
