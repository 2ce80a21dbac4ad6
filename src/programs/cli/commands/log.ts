import type { Command } from "commander";
import { readLog } from "../../../engine/lifecycle/status.ts";
import type { Context } from "../context.ts";
import { renderEvent } from "../../../views/terminal/event-text.ts";
import { parseCount } from "../options.ts";

interface Flags {
  readonly loop?: string;
  readonly last: number;
  readonly json?: boolean;
}

export function addLog(program: Command, context: Context): void {
  program
    .command("log")
    .description(
      "Prints a loop's journal, oldest event first. Name a loop that has ended, or the attempt at a task.",
    )
    .argument("[id]", "which loop, if several are open; the start of its id is enough")
    .option("--loop <id>", "the same as an id")
    .option("-n, --last <count>", "show only the last events", parseCount, 50)
    .option("--json", "print one JSON object per line")
    .addHelpText(
      "after",
      "\nExamples:\n  $ loop log\n  $ loop log fix-the-tests\n  $ loop log -n 500 --json | jq .type",
    )
    .action(async (id: string | undefined, { loop = id, ...flags }: Flags) => {
      for (const entry of await readLog(context.machine, loop, flags.last)) {
        const { seq, at, event } = entry;
        context.terminal.print(
          flags.json
            ? JSON.stringify({ seq, at: new Date(at).toISOString(), ...event })
            : renderEvent(context.terminal, seq, at, event),
        );
      }
    });
}
