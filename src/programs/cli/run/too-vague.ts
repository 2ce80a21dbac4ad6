import type { Loop } from "../../../core/loop/loop.ts";
import { isWorkflow, topFrame } from "../../../core/loop/loop.ts";
import { asksFirst } from "../../../core/questions/intent/understood.ts";
import type { SpecScore } from "../../../core/spec/score.ts";
import { printable } from "../../../system/text/plain-text.ts";
import type { Context } from "../context.ts";
import { TOO_VAGUE } from "./exit-code.ts";

/** Says why nothing runs, and which questions to answer; for scripts on a line of its own, too. */
export function refuse(
  { terminal, endWith }: Context,
  why: string,
  { total, questions }: Pick<SpecScore, "total" | "questions">,
  { json = false }: { readonly json?: boolean | undefined },
): null {
  terminal.complain(`loop: ${why}`);
  for (const question of questions) terminal.complain(`  ? ${printable(question)}`);
  if (json) terminal.print(JSON.stringify({ type: "too-vague", total, questions }));
  endWith(TOO_VAGUE);
  return null;
}

/** Opened by a command that refuses nothing, and still without a check. A loop that was driven before is allowed. */
export function isTooVague(loop: Loop): boolean {
  return (
    asksFirst(loop.shape) &&
    !isWorkflow(loop) &&
    loop.driven === null &&
    topFrame(loop).criteria.every(({ check }) => check === null)
  );
}

/** The spec of an open loop cannot change, so answers need a new loop. */
export function refuseLoop(context: Context, { id, score }: Loop, flags: { readonly json?: boolean }): null {
  return refuse(
    context,
    `The loop ${id} was opened with a spec that is too vague to run (${score.total}/10) and cannot change; add a check with loop criteria add NAME --check COMMAND --loop ${id}, or end it with loop cancel --loop ${id} and run a spec that answers these:`,
    score,
    flags,
  );
}
