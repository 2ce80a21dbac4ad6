import type { Command } from "commander";
import { approvalOfPlan, approvePlanText } from "../../app/plan-approval.ts";
import { UserError } from "../../loops/user-error.ts";
import { isAgreed } from "../questions/agreed.ts";
import type { Context } from "../context.ts";
import { printJson } from "../context.ts";
import type { PlanReport } from "../plan-report.ts";
import { planJson, reportOn } from "../plan-report.ts";
import { PLAN_EXAMPLE, planText } from "../plan-text.ts";
import { findPlan } from "../find-plan.ts";

interface Flags {
  readonly file?: string;
  readonly approve?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function addPlan(program: Command, context: Context): void {
  program
    .command("plan")
    .description(
      "Shows the tasks of a plan by waves, with their checks, blockers and the longest path, and what is wrong with it, by line. Runs nothing. Ends with 1 where the plan has an error.",
    )
    .argument("[file|spec...]", "the file of a plan, a spec with a checklist, or tasks:LIST of Claude Code")
    .option("-f, --file <path>", "read the plan or the spec from a file, or from standard input with -")
    .option("--approve", "let the commands of this very text run as checks, on this machine")
    .option("-y, --yes", "approve what is shown, without a question")
    .option("--json", "print the plan as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  $ loop plan PLAN.md\n  $ loop plan PLAN.md --approve\n  $ loop plan tasks:my-list --json",
    )
    .action(async (words: readonly string[], flags: Flags) => showPlan(context, words, flags));
}

async function showPlan(context: Context, words: readonly string[], flags: Flags): Promise<void> {
  const { machine, terminal } = context;
  const { name, text, draft } = findPlan(context, words, flags.file);
  const report = reportOn(name, draft, approvalOfPlan(machine, text));
  if (report.order === null) context.endWith(1);
  if (flags.json) return printJson(context, planJson(report));
  terminal.print(planText(terminal, report));
  if (draft.tasks.length === 0 && draft.done.length === 0) terminal.print(`\n${PLAN_EXAMPLE}`);
  if (report.order === null) {
    if (flags.approve) throw new UserError("A plan with errors cannot be approved; put them right first.");
    return undefined;
  }
  return flags.approve ? approve(context, report, text, flags) : tellApproval(context, report);
}

function hasCommands({ draft }: PlanReport): boolean {
  return draft.tasks.some(({ verify }) => verify !== null);
}

function tellApproval({ terminal }: Context, report: PlanReport): void {
  const { name, approval } = report;
  terminal.print(`\n${terminal.paint("dim", `Digest: ${approval.digest}`)}`);
  if (!hasCommands(report)) return;
  terminal.print(
    approval.isApproved
      ? "Its commands are approved on this machine."
      : `Its commands are not approved on this machine, so none of them runs; approve them with: loop plan ${/^[\w./:-]+$/.test(name) ? name : "FILE"} --approve`,
  );
}

async function approve(context: Context, report: PlanReport, text: string, flags: Flags): Promise<void> {
  const { machine, terminal } = context;
  if (!hasCommands(report) || report.approval.isApproved)
    return terminal.print("\nNothing here waits for approval.");
  if (!(await isAgreed(context, flags, "Let these checks run here?")))
    return terminal.print("Nothing was approved.");
  await approvePlanText(machine, text);
  return terminal.print("\nApproved on this machine, for this text of the plan.");
}
