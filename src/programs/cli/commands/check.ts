import type { Command } from "commander";
import { waitForChecks } from "../../../engine/stop/background-job.ts";
import { checkLoop, lastExamination, type Checked } from "../../../engine/lifecycle/check-loop.ts";
import { chooseLoop } from "../../../storage/loops/choose-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { oneLine, printable } from "../../../system/text/plain-text.ts";
import { criterionRow, detailText } from "../../../views/criterion.ts";
import { readTestReport } from "../../../verify/reports/read-test-report.ts";
import { reportWords } from "../../../verify/reports/test-report.ts";
import { statusView } from "../../../views/status.ts";
import { changingAdvice } from "../../../engine/opening/preflight.ts";
import { printJson, type Context } from "../context.ts";
import { criterionLine, nameWidthOf } from "../../../views/terminal/criterion-lines.ts";

const OUTPUT_LINES = 25;
const WIDEST_NAME = 60;

interface Flags {
  readonly loop?: string;
  readonly wait?: boolean;
  readonly json?: boolean;
}

export function addCheck(program: Command, context: Context): void {
  program
    .command("check")
    .description(
      "Runs the checks of the given criteria, or all checks, and records the results. Exits with 1 when one fails.",
    )
    .argument("[criterion...]", "names of criteria")
    .option("--wait", "if they are already running, wait for them instead of running them twice")
    .option("--loop <id>", "which loop, if several are open")
    .option("--json", "print the criteria as JSON")
    .addHelpText("after", "\nExamples:\n  $ loop check\n  $ loop check 'tests pass'")
    .action(async (names: readonly string[], flags: Flags) => check(context, names, flags));
}

async function check(context: Context, names: readonly string[], flags: Flags): Promise<void> {
  const { terminal } = context;
  const machine = {
    ...context.machine,
    onCheck: (name: string) => {
      if (!flags.json && terminal.isInteractive)
        terminal.complain(terminal.paint("dim", `… ${oneLine(name, 60)}`));
    },
  };
  const { loop, examination } = await examine(machine, names, flags);
  const view = statusView(loop, examination.tree?.digest ?? null);
  const ran = view.criteria.filter((each) => examination.evidence.has(each.name));
  const failed = ran.filter((each) => each.status !== "met");
  if (failed.length > 0) context.endWith(1);
  if (flags.json) return printJson(context, { criteria: ran });
  const width = nameWidthOf(ran, WIDEST_NAME);
  for (const each of ran) {
    const row = criterionRow(each);
    const detail = [detailText(row, machine.now()), testsOf(each.evidence?.outputTail ?? "")];
    terminal.print(criterionLine(terminal, row, width, detail.filter((part) => part !== "").join(" · ")));
    if (each.status === "met" || each.evidence === null) continue;
    for (const line of lastLines(each.evidence.outputTail)) terminal.print(`    ${line}`);
    const withheld = examination.evidence.get(each.name)?.withheld ?? [];
    if (withheld.length > 0)
      terminal.print(
        terminal.paint("dim", `    withheld from it: ${withheld.join(", ")} (pass with --pass-env)`),
      );
  }
  for (const [name, evidence] of examination.evidence) {
    if (evidence.alteredTree)
      terminal.print(
        `! ${oneLine(name, 60)} changes the project's files each time it runs; ${changingAdvice(machine.cwd)}`,
      );
  }
  return undefined;
}

async function examine(machine: Machine, names: readonly string[], flags: Flags): Promise<Checked> {
  const chosen = await chooseLoop(machine, flags.loop);
  const wasRunning = flags.wait === true && (await waitForChecks(machine, chosen));
  return wasRunning
    ? lastExamination(machine, await chooseLoop(machine, chosen.id))
    : checkLoop(machine, chosen, names);
}

/** How many tests a check reports; empty when it reports none. */
function testsOf(output: string): string {
  const report = readTestReport(output);
  return report === null ? "" : reportWords(report);
}

function lastLines(output: string): readonly string[] {
  const text = printable(output).trimEnd();
  return text === "" ? [] : text.split("\n").slice(-OUTPUT_LINES);
}
