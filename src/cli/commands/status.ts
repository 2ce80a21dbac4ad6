import type { Command } from "commander";
import { statusOfLoops } from "../../app/status.ts";
import type { Context } from "../context.ts";
import { printJson } from "../context.ts";
import { renderStatus } from "../loop-text.ts";

interface Flags {
  readonly all?: boolean;
  readonly loop?: string;
  readonly json?: boolean;
}

export function addStatus(program: Command, context: Context): void {
  program
    .command("status")
    .summary("phase, criteria with their evidence, cost, what is next, why it stopped")
    .description(
      "Shows the loops of this project, newest first: phase and why, criteria with their evidence, iteration, cost, what is next.",
    )
    .option("--all", "ended loops too")
    .option("--loop <id>", "this one only; the beginning of its id is enough")
    .option("--json", 'print {"loops":[…]}')
    .addHelpText("after", "\nExamples:\n  $ loop status\n  $ loop status --all --json")
    .action(async (flags: Flags) => {
      const { machine, terminal } = context;
      const { project, loops, endedCount } = await statusOfLoops(machine, {
        all: flags.all === true,
        loop: flags.loop,
      });
      if (flags.json) return printJson(context, { loops });
      if (loops.length > 0) {
        return terminal.print(loops.map((view) => renderStatus(terminal, view, machine.now())).join("\n\n"));
      }
      const ended = endedCount === 0 ? "" : ` (${endedCount} ended; see them with --all)`;
      return terminal.print(
        `No loop is open in ${project.root}${ended}.\nStart one with: loop start "what you want"`,
      );
    });
}
