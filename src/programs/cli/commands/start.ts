import type { Command } from "commander";
import { checkNotices, otherLoopNotices } from "../../../engine/opening/opening-notices.ts";
import { startPreflight } from "../../../engine/opening/background-preflight.ts";
import type { AskedLoop } from "../../../engine/opening/open-loop.ts";
import { expectOpenable, inFrameOf } from "../../../engine/opening/openable.ts";
import { openLoop } from "../../../engine/opening/open-loop.ts";
import { otherHooksNotice } from "../../../engine/lifecycle/other-version.ts";
import { proposeChecks } from "../../../engine/opening/propose-checks.ts";
import type { LockedLoop } from "../../../storage/loops/locked-loop.ts";
import { UserError } from "../../../core/user-error.ts";
import { callerNow } from "../../../storage/loops/calling.ts";
import { experiencePart } from "../../../views/experience.ts";
import { startingLine } from "../../../views/loop-lines.ts";
import { printable } from "../../../system/text/plain-text.ts";
import { statusView } from "../../../views/status-view.ts";
import { isAttended } from "../attended.ts";
import { WAY_OUT } from "../../../views/way-out.ts";
import { bindingOf } from "../binding.ts";
import type { Context } from "../context.ts";
import { printJson } from "../context.ts";
import { expectMayLoosen } from "../loosening.ts";
import { recallAtOpening } from "../learnings/ask-recall.ts";
import { lookFirst } from "../preflight.ts";
import { lacksCriteria, offerChecks } from "../project-checks.ts";
import { statusText } from "../../../views/terminal/status-text.ts";
import { tellEndings } from "../tell-endings.ts";
import { addOpeningOptions, openingOf } from "../opening.ts";
import { noModelOption, parseCount, parseSession } from "../options.ts";
import type { SessionFlags } from "../run/session-flags.ts";
import { kindOption, taskListOption } from "../run/workflow-options.ts";

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

/** The loop to open, once every check on the request passed, and the notices to print first. */
async function wantedLoop(
  context: Context,
  words: string,
  flags: Flags,
): Promise<{ readonly wanted: AskedLoop; readonly notices: readonly string[] }> {
  const { machine } = context;
  const nested = flags.nested === true;
  const attended = isAttended(context, flags);
  const fresh =
    flags.startFresh === true || flags.loop !== undefined ? await import("../run/start-fresh.ts") : null;
  const unfinished = (await fresh?.unfinishedFor(context, flags)) ?? null;
  const { asked, used, notices } = await openingOf(context, words, flags, { nested, attended });
  if (unfinished !== null) {
    await expectMayLoosen(context, "start", flags, used.config, unfinished);
    await fresh?.cancelForFresh(context, unfinished, asked);
  }
  const isOffered = attended && !nested && lacksCriteria(asked);
  const criteria = isOffered ? await offerChecks(context, flags) : asked.criteria;
  const recall = nested ? {} : await recallAtOpening(context, { ...asked, criteria }, attended);
  const given = { ...asked, ...recall, criteria, nested, binding: bindingOf(machine, flags.session) };
  const { outer } = await expectOpenable(machine, given);
  const wanted = outer === null ? given : inFrameOf(machine, outer, given);
  if (unfinished === null) await expectMayLoosen(context, "start", flags, used.config, outer);
  const otherHooks = otherHooksNotice(machine, wanted.binding);
  const first = otherHooks === null ? [] : [otherHooks];
  return { wanted, notices: [...first, ...notices, ...checkNotices(criteria)] };
}

/** An agent that opens a loop for its session keeps working while the preflight runs. */
async function lookAndOpen(context: Context, wanted: AskedLoop, flags: Flags): Promise<LockedLoop> {
  const { machine, cli } = context;
  const isSessions = wanted.binding !== null && callerNow(machine).kind === "agent";
  if (!isSessions) return openLoop(machine, { ...wanted, ...(await lookFirst(context, wanted, flags)) });
  const opened = await openLoop(machine, wanted);
  await startPreflight(machine, opened, cli);
  return opened;
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
  if (flags.taskList !== undefined)
    throw new UserError(
      "--task-list is for a workflow or a plan; add --workflow or --plan, or leave it out.",
    );
  expectOfFrame(flags);
  const { machine, terminal } = context;
  const { wanted, notices } = await wantedLoop(context, words, flags);
  for (const notice of notices) terminal.complain(`loop: ${notice}`);
  const chosen = await lookAndOpen(context, wanted, flags);
  const { loop } = chosen.live;
  context.answers.forget();
  if (!flags.nested && !flags.json)
    for (const notice of await otherLoopNotices(machine, chosen)) terminal.complain(`loop: ${notice}`);
  const view = statusView(loop, loop.start.tree);
  if (flags.json) return printJson(context, view);
  if (!flags.nested) terminal.print(startingLine(loop));
  terminal.print(statusText(terminal, view, machine.now()));
  if (loop.shape === "intent" && !flags.nested) {
    terminal.print("\nThe spec leaves a lot open. Answering these would help most:");
    for (const question of loop.score.questions) terminal.print(`  ? ${printable(question)}`);
  }
  if (view.criteria.length === 0) {
    for (const line of await proposeChecks(machine)) terminal.print(line);
  }
  const experience = flags.nested ? "" : experiencePart(loop);
  if (experience !== "") terminal.print(`\n${experience}`);
  if (callerNow(machine).kind === "agent") terminal.print(`\n${WAY_OUT}`);
}
