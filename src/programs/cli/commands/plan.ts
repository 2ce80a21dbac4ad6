import { Option, type Command } from "commander";
import { approvalOfPlan, approvePlanText } from "../../../engine/opening/plan-source.ts";
import { ASKABLE_IDS } from "../../../agents/drivers/driver.ts";
import { UserError } from "../../../core/user-error.ts";
import { isAgreed } from "../questions/choose.ts";
import { printJson, type Context } from "../context.ts";
import { decomposeSpec, type DecomposeFlags, type MadePlan } from "../decompose-spec.ts";
import { allowCheckOption, checkTimeoutOption, collect, noModelOption, parseAmount } from "../options.ts";
import type { PlanReport } from "../../../views/terminal/plan-report.ts";
import { planJson, reportOn, PLAN_EXAMPLE, planText } from "../../../views/terminal/plan-report.ts";
import { hasErrors } from "../../../core/plan-files/lint-plan.ts";
import { findPlan, planWord } from "../find-plan.ts";

interface Flags extends DecomposeFlags {
  readonly file?: string;
  readonly approve?: boolean;
  readonly yes?: boolean;
}

const BUDGET_USD = 5;

export function addPlan(program: Command, context: Context): void {
  program
    .command("plan")
    .description(
      "Shows the tasks of a plan by waves, with their checks, blockers and the longest path, and what is wrong with it, by line. For a spec, asks the agent for the tasks first: it reads the project and changes nothing. Runs no task. Ends with 1 where the plan has an error.",
    )
    .argument(
      "[file|spec...]",
      "the file of a plan, what you want in your own words, or tasks:LIST of Claude Code",
    )
    .option("-f, --file <path>", "read the plan or the spec from a file, or from standard input with -")
    .option("--approve", "let the commands of this very text run as checks, on this machine")
    .option("-y, --yes", "approve what is shown, without a question")
    .option("-o, --out <file>", "write the plan of a spec to a new file")
    .addOption(noModelOption("ask no model: use the spec's own checklist"))
    .addOption(
      new Option(
        "-a, --agent <agent>",
        "whom to ask (default: the project's, otherwise an installed one)",
      ).choices(ASKABLE_IDS),
    )
    .option("-m, --model <name>", "the model, by the agent's own name for it")
    .option(
      "--agent-arg <arg>",
      "an extra argument for the agent, as --agent-arg=--flag (repeatable)",
      collect,
    )
    .option("--script <folder>", "with --agent rehearsal: the folder with decompose.json")
    .option("--budget <dollars>", "the most that asking may cost", parseAmount, BUDGET_USD)
    .option("-c, --criterion <name=command>", "what has to be true in the end (repeatable)", collect)
    .addOption(allowCheckOption())
    .addOption(checkTimeoutOption().hideHelp())
    .option("--json", "print the plan as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ loop plan PLAN.md
  $ loop plan PLAN.md --approve
  $ loop plan "Add rate limits to every endpoint in src/api, until npm test passes" --out PLAN.md
  $ loop plan -f spec.md --agent codex --budget 1 --json
  $ loop plan -f spec.md --no-model
  $ loop plan tasks:my-list --json`,
    )
    .action(async (words: readonly string[], flags: Flags) => showPlan(context, words, flags));
}

async function showPlan(context: Context, words: readonly string[], flags: Flags): Promise<void> {
  const { machine, terminal } = context;
  const plan = await planOrMade(context, words, flags);
  if (plan === null) return undefined;
  const { name, text, draft, maker, isFile } = plan;
  const report = reportOn(name, draft, approvalOfPlan(machine, text), maker);
  if (report.order === null) context.endWith(1);
  if (flags.json) return printJson(context, planJson(report));
  terminal.print(planText(terminal, report));
  if (draft.tasks.length === 0 && draft.done.length === 0 && !hasErrors(draft.issues)) {
    if (flags.file === undefined)
      terminal.print(
        `\nIf it is a spec, the agent splits it into tasks with: loop plan -f ${planWord(report)}`,
      );
    terminal.print(`\n${PLAN_EXAMPLE}`);
  }
  if (report.order === null) {
    if (flags.approve) throw new UserError("A plan with errors cannot be approved; put them right first.");
    return undefined;
  }
  if (flags.approve) return approve(context, report, text, flags);
  return isFile ? tellApproval(context, report) : tellHowToKeep(context, report);
}

/** A text without any task is a spec. A file that is named without -f is meant as a plan. */
async function planOrMade(
  context: Context,
  words: readonly string[],
  flags: Flags,
): Promise<MadePlan | null> {
  const found = findPlan(context, words, flags.file);
  const isPlan = found.draft.tasks.length + found.draft.done.length > 0 || found.isPlan;
  if (!isPlan) return decomposeSpec(context, found.text, flags);
  if (flags.out !== undefined)
    throw new UserError("--out writes the plan of a spec; this is a plan already.");
  return { ...found, maker: null, isFile: true };
}

function hasCommands({ draft }: PlanReport): boolean {
  return draft.tasks.some(({ verify }) => verify !== null);
}

function tellApproval({ terminal }: Context, report: PlanReport): void {
  const { approval } = report;
  terminal.print(`\n${terminal.paint("dim", `Digest: ${approval.digest}`)}`);
  tellProposals(terminal, report);
  if (!hasCommands(report)) return;
  terminal.print(
    approval.isApproved
      ? "Its commands are approved on this machine."
      : `Its commands are not approved on this machine, so none of them runs; approve them with: loop plan ${planWord(report)} --approve`,
  );
}

function tellHowToKeep({ terminal }: Context, report: PlanReport): void {
  terminal.print("");
  tellProposals(terminal, report);
  terminal.print(
    "Write it to a file with --out PLAN.md; read it, then work on it with: loop run --plan PLAN.md",
  );
}

/** A command that a model wrote is a stranger's. */
function tellProposals(terminal: Context["terminal"], { draft, approval }: PlanReport): void {
  if (!approval.isApproved && draft.tasks.some(({ verify }) => verify?.isProposed === true))
    terminal.print(
      "The model wrote the commands marked as proposed. None of them runs before you have approved it; until then their tasks are unverified.",
    );
}

async function approve(context: Context, report: PlanReport, text: string, flags: Flags): Promise<void> {
  const { machine, terminal } = context;
  if (!hasCommands(report) || report.approval.isApproved)
    return terminal.print("\nNothing here waits for approval.");
  tellProposals(terminal, report);
  if (!(await isAgreed(context, flags, "Let these checks run here?"))) {
    context.endWith(1);
    return terminal.print("Nothing was approved.");
  }
  await approvePlanText(machine, text);
  return terminal.print("\nApproved on this machine, for this text of the plan.");
}
