import type { AskedLoop } from "../app/open-loop.ts";
import { CannotRun } from "../app/preflight.ts";
import { discoveredChecks, testsOf } from "../app/propose-checks.ts";
import { oneLine } from "../text/plain-text.ts";
import { ask } from "./ask.ts";
import type { Context } from "./context.ts";
import type { GivenCriterion } from "./given-criteria.ts";
import { shellCheck } from "./given-criteria.ts";
import { lookFirst } from "./preflight.ts";

type CheckFlags = Parameters<typeof shellCheck>[1] & { readonly json?: boolean };

/** Whether the loop needs a check to end, and has none. */
export function lacksCriteria({ criteria, exitRule }: Pick<AskedLoop, "criteria" | "exitRule">): boolean {
  return criteria.length === 0 && exitRule === "criteria";
}

/** Offers the project's own checks to the person at the terminal. */
export async function offerChecks(context: Context, flags: CheckFlags): Promise<readonly GivenCriterion[]> {
  const proposals = await discoveredChecks(context.machine);
  if (proposals.length === 0) return [];
  context.terminal.complain("loop: No criterion says when the work is done. This project's own checks:");
  for (const [index, { name, command }] of proposals.entries())
    context.terminal.complain(`  ${index + 1}  ${oneLine(name, 60)}: ${oneLine(command, 80)}`);
  const answer = await ask(
    "Which of these should decide? Numbers, y for the first, or n for none [y/1 2 …/N] ",
  );
  const numbers = /^y(es)?$/i.test(answer) ? [1] : answer.split(/[\s,]+/).map(Number);
  return proposals
    .filter((_, index) => numbers.includes(index + 1))
    .map(({ name, command }) => ({ name, check: shellCheck(command, flags) }));
}

/**
 * With nobody to ask, the project's own tests decide, if they can run; their preflight happens here. The user didn't choose
 * them, so a vague spec stays vague.
 */
export async function takeProjectTests<Asked extends Pick<AskedLoop, "criteria" | "protects" | "mustNots">>(
  context: Context,
  asked: Asked,
  flags: CheckFlags,
): Promise<Asked & Pick<AskedLoop, "looked" | "guarded">> {
  const tests = testsOf(await discoveredChecks(context.machine));
  if (tests === null) return asked;
  const { complain } = context.terminal;
  const named = `"${oneLine(tests.name, 60)}" (${oneLine(tests.command, 80)})`;
  complain(`loop: No criterion given, so the project's own check decides: ${named}`);
  const taken = { ...asked, criteria: [{ name: tests.name, check: shellCheck(tests.command, flags) }] };
  try {
    return { ...taken, ...(await lookFirst(context, taken, flags)) };
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    complain(`loop: It cannot run here, so it is ignored.`);
    return asked;
  }
}
