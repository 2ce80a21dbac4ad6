import type { Command } from "commander";
import { readLog } from "../../app/read-log.ts";
import type { Context } from "../context.ts";
import { renderEvent } from "../event-text.ts";
import { parseCount } from "../options.ts";

interface Flags {
  readonly loop?: string;
  readonly last: number;
  readonly json?: boolean;
}

export function addLog(program: Command, context: Context): void {
  program
    .command("log")
    .description("Prints a loop's journal, oldest event first. Use --loop for ended loops.")
    .option("--loop <id>", "which loop, if several are open")
    .option("-n, --last <count>", "show only the last events", parseCount, 50)
    .option("--json", "print one JSON object per line")
    .addHelpText("after", "\nExamples:\n  $ loop log\n  $ loop log -n 500 --json | jq .type")
    .action(async (flags: Flags) => {
      for (const entry of await readLog(context.machine, flags.loop, flags.last)) {
        const { seq, at, event } = entry;
        context.terminal.print(
          flags.json
            ? JSON.stringify({ seq, at: new Date(at).toISOString(), ...event })
            : renderEvent(context.terminal, seq, at, event),
        );
      }
    });
}
