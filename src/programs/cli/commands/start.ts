import type { Command } from "commander";
import { UserError } from "../../../core/user-error.ts";
import { callerNow } from "../../../storage/loops/caller-now.ts";
import { experiencePart } from "../../../views/prompts/turn.ts";
import { startingLine } from "../../../views/loop-lines.ts";
import { printable } from "../../../system/text/plain-text.ts";
import { openingText, recallLines } from "../../../views/session-texts.ts";
import { leaveNews } from "../../../storage/home/session-files.ts";
import type { Loop } from "../../../core/loop/loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { statusView } from "../../../views/status.ts";
import { WAY_OUT } from "../../../views/prompts/hold.ts";
import { bindingOf, printJson, type Context } from "../context.ts";
import { openForSession } from "../../../engine/opening/open-plain.ts";
import { otherLoopNotices } from "../../../engine/opening/clear-spec.ts";
import { proposeChecks } from "../../../engine/opening/propose-checks.ts";
import type { Wish } from "../../../engine/opening/resolve-opening.ts";
import { statusText } from "../../../views/terminal/status-text.ts";
import { openerOf } from "../opener.ts";
import { addOpeningOptions, specOf, noModelOption, parseCount, parseSession } from "../options.ts";
import type { SessionFlags } from "../run/adopt-plan.ts";
import { kindOption, taskListOption } from "../run/task-options.ts";
import { unreportedEndingsHere } from "../../../engine/stop/announce.ts";
import { findHost } from "../../../agents/hosts/hosts.ts";

interface Flags extends SessionFlags {
  readonly plan?: string;
}

export function addStart(program: Command, context: Context): void {
  const command = program
    .command("start")
    .description(
      "Opens a loop for a spec. Inside an agent's session, the loop is bound to that session, and the hooks hold the agent until checks show that the spec is satisfied. A loop opened in a plain terminal holds nobody until you continue it in a session.",
    )
    .argument("[spec...]", "what you want, in your own words");
  addOpeningOptions(command)
    .option("--nested", "open it inside the session's current loop")
    .option(
      "--workflow",
      "in a session: settle what is meant, draw its shape, then work on the tasks of a plan",
    )
    .option("--start-fresh", "cancel the unfinished loop of this project first, and keep its record")
    .option("--loop <id>", "which one to cancel, if several are open or another session works on it")
    .option("--beside", "leave an unfinished workflow of this project as it is")
    .option(
      "--plan <file>",
      "the tasks that the session's agent works on: of its workflow, or of a new loop; a file, or - for standard input",
    )
    .addOption(taskListOption())
    .option("--parallel <n>", "how many tasks of the plan at once (default 3)", parseCount)
    .addOption(kindOption())
    .addOption(noModelOption("no counsel and no reviews by the session's agents"))
    .option("--session <id>", "bind it to this session instead of the caller's", parseSession)
    .option("--json", "print the new loop as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ loop start "Fix the failing tests" -c "tests pass=npm test"
  $ loop start -f spec.md -c "builds=make" -c "docs updated" --must-not "path:migrations/**"
  $ loop start "Refactor src/api" -c "tests pass=npm test" --protect "test/**" --budget 10
  $ loop start "Make the cart better" --workflow
  $ loop start "Make the cart faster" --workflow --start-fresh
  $ loop start --plan PLAN.md -c "tests pass=npm test"
  $ loop start "Add a check of the links" -c "links hold=npm run links" --not-yet "links hold"`,
    )
    .action(async (words: readonly string[], flags: Flags) => start(context, words.join(" "), flags));
}

/** Options of the whole loop, not of a frame inside it. */
const OF_THE_WHOLE_LOOP = {
  mustNot: "--must-not",
  protect: "--protect",
  budget: "--budget",
  maxTokens: "--max-tokens",
  maxMinutes: "--max-minutes",
  stuckLimit: "--stuck-limit",
  sameErrorLimit: "--same-error-limit",
  sameFileLimit: "--same-file-limit",
  noProgressLimit: "--no-progress-limit",
  ttl: "--ttl",
  shape: "--shape",
  proof: "--proof",
  proofBudget: "--proof-budget",
  mayChange: "--may-change",
  holdoutFrom: "--holdout-from",
  here: "--here",
} as const satisfies { readonly [Name in keyof Flags]?: string };

function expectOfFrame(flags: Flags): void {
  const given = Object.entries(OF_THE_WHOLE_LOOP).filter(
    ([name]) => flags[name as keyof Flags] !== undefined,
  );
  if (flags.nested !== true || given.length === 0) return;
  throw new UserError(
    `${given.map(([, flag]) => flag).join(", ")} applies to the whole loop; use it when you open that.`,
  );
}

/** Tasks for the session's own agent: it claims them, and what it says is done is judged and merged at its stops. */
async function startTasks(context: Context, words: string, flags: Flags): Promise<void> {
  const { startPlan, startWorkflow } = await import("../run/start-in-session.ts");
  const { plan } = flags;
  return plan === undefined
    ? startWorkflow(context, words, flags)
    : startPlan(context, words, { ...flags, plan });
}

async function start(context: Context, words: string, flags: Flags): Promise<void> {
  await tellEndings(context);
  if (flags.plan !== undefined || flags.workflow === true) return startTasks(context, words, flags);
  expectOfFrame(flags);
  const { machine, terminal } = context;
  const isFresh = flags.startFresh === true || flags.loop !== undefined;
  const wish: Wish = {
    command: "start",
    flags,
    nested: flags.nested === true,
    readSpec: () => specOf(context, words, flags.file),
    fresh: isFresh ? await (await import("../run/cancel-loop.ts")).freshFor(context, flags) : null,
  };
  const binding = bindingOf(machine, flags.session);
  const taskList = await (await import("../run/ask-start.ts")).listInSession(context, flags, binding);
  const chosen = await openForSession(openerOf(context, flags), wish, { binding, taskList });
  const { loop } = chosen.live;
  context.answers.forget();
  if (!flags.nested && !flags.json)
    for (const notice of await otherLoopNotices(machine, chosen)) terminal.complain(`loop: ${notice}`);
  const view = statusView(loop, loop.start.tree);
  if (flags.json) return printJson(context, view);
  if (!flags.nested) announce(context, loop);
  terminal.print(statusText(terminal, view, machine.now()));
  if (loop.shape === "intent" && !flags.nested) {
    terminal.print("\nThe spec leaves a lot open. Answering these would help most:");
    for (const question of loop.score.questions) terminal.print(`  ? ${printable(question)}`);
  }
  if (view.criteria.length === 0) {
    for (const line of await proposeChecks(machine)) terminal.print(line);
  }
  if (!flags.nested) printExperience(context, loop);
  if (callerNow(machine).kind === "agent") terminal.print(`\n${WAY_OUT}`);
}

/** A user who is there says which of it applies; otherwise the agent is told what is sure enough. */
export function printExperience(
  { machine, terminal }: Pick<Context, "machine" | "terminal">,
  loop: Loop,
): void {
  const lines = isAttendedSession(machine, loop) ? recallLines(loop) : [];
  if (lines.length > 0)
    return terminal.print(
      [
        ...lines,
        "Ask the user which of these apply (AskUserQuestion, any number of them), and pass it on: loop recall --confirm ID --dismiss ID",
      ].join("\n"),
    );
  const experience = experiencePart(loop);
  return experience === "" ? undefined : terminal.print(`\n${experience}`);
}

/** A person sits at the session that the loop is bound to. */
export function isAttendedSession({ env }: Pick<Machine, "env">, { binding }: Loop): boolean {
  return findHost(binding?.host)?.isAttended(env) ?? false;
}

/** In the session, its hooks show the user more than the agent has to read. */
export function announce({ machine, terminal }: Pick<Context, "machine" | "terminal">, loop: Loop): void {
  const { binding } = loop;
  if (findHost(binding?.host) !== null && binding !== null)
    leaveNews(machine.home, binding.session, openingText(loop));
  terminal.print(startingLine(loop));
}

/** Before a new loop: which loops of the project ended when nobody was left to be told. */
export async function tellEndings({ machine, terminal }: Context): Promise<void> {
  const caller = callerNow(machine);
  const commandPrefix = caller.kind === "agent" ? (findHost(caller.host)?.commandPrefix ?? null) : null;
  for (const { text, markTold } of await unreportedEndingsHere(machine, { commandPrefix })) {
    terminal.complain(text);
    markTold();
  }
}
