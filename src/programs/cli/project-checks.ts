import type { AskedLoop } from "../../engine/opening/open-loop.ts";
import { CannotRun } from "../../engine/opening/preflight.ts";
import { discoverHere, obstaclesOf, testsOf, whereFound } from "../../engine/opening/propose-checks.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { Context } from "./context.ts";
import type { GivenCriterion } from "./given-criteria.ts";
import { shellCheck } from "./given-criteria.ts";
import { lookFirst } from "./preflight.ts";
import { readAnswer } from "./questions/read-answer.ts";

type CheckFlags = Parameters<typeof shellCheck>[1] & { readonly json?: boolean };

/** Whether the loop needs a check to end, and has none. */
export function lacksCriteria({ criteria, exitRule }: Pick<AskedLoop, "criteria" | "exitRule">): boolean {
  return criteria.length === 0 && exitRule === "criteria";
}

/** Offers the project's own checks to the person at the terminal. */
export async function offerChecks(context: Context, flags: CheckFlags): Promise<readonly GivenCriterion[]> {
  const { terminal, answers } = context;
  const found = await discoverHere(context.machine);
  for (const obstacle of obstaclesOf(found)) terminal.complain(`loop: ${obstacle}`);
  const proposals = found.checks;
  if (proposals.length === 0) return [];
  terminal.complain("loop: No criterion says when it is done. This project could show:");
  for (const [index, { name, command }] of proposals.entries())
    terminal.complain(`  ${index + 1}  ${oneLine(name, 60)}: ${oneLine(command, 80)}${whereFound(found)}`);
  const taken = await pickFrom(terminal, proposals);
  for (const { name, command } of taken) answers.addFlags("-c", `${name}=${found.goThere}${command}`);
  return taken.map(({ name, command }) => ({ name, check: shellCheck(command, flags, found.above) }));
}

/** Enter takes the first. */
async function pickFrom<Item>(
  terminal: Context["terminal"],
  items: readonly Item[],
): Promise<readonly Item[]> {
  const question = {
    text: "Which of these should decide? Numbers such as 1 2, all, or none",
    hint: "1",
    usual: "1",
  };
  for (;;) {
    const answer = (await readAnswer(terminal, question))?.toLowerCase() ?? "none";
    if (["n", "no", "none"].includes(answer)) return [];
    if (answer === "all") return items;
    const numbers = ["", "y", "yes"].includes(answer) ? [1] : answer.split(/[\s,]+/).map(Number);
    if (numbers.every((number) => items[number - 1] !== undefined))
      return items.filter((_, index) => numbers.includes(index + 1));
    terminal.print(`  Please answer with numbers from 1 to ${items.length}, all or none.`);
  }
}

/**
 * With nobody to ask, the project's own tests decide, if they can run; their preflight happens here. The user didn't choose
 * them, so a vague spec stays vague.
 */
export async function takeProjectTests<
  Asked extends Pick<AskedLoop, "spec" | "criteria" | "protects" | "mustNots">,
>(context: Context, asked: Asked, flags: CheckFlags): Promise<Asked & Pick<AskedLoop, "looked" | "guarded">> {
  const { complain } = context.terminal;
  const found = await discoverHere(context.machine);
  const tests = testsOf(found);
  if (tests === null) {
    for (const obstacle of obstaclesOf(found)) complain(`loop: ${obstacle}`);
    return asked;
  }
  const named = `"${oneLine(tests.name, 60)}" (${oneLine(tests.command, 80)})${whereFound(found)}`;
  complain(`loop: No criterion given, so the project's own check decides: ${named}`);
  const check = shellCheck(tests.command, flags, found.above);
  const taken = { ...asked, criteria: [{ name: tests.name, check }] };
  try {
    return { ...taken, ...(await lookFirst(context, taken, flags)) };
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    complain(`loop: It cannot run here, so it is ignored.`);
    return asked;
  }
}
