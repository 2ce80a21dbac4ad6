import { readFileSync, realpathSync } from "node:fs";
import { execute } from "./execute.ts";
import { endWithReaders } from "./readers.ts";
import { exitOnSignals } from "./signals.ts";
import { createTerminal } from "./terminal.ts";

endWithReaders();
exitOnSignals();

// An agent that lists processes is not to read where its holdout is.
if (process.argv.some((word) => word.startsWith("--holdout-from"))) process.title = "loop";

async function main(): Promise<void> {
  process.exitCode = await execute(process.argv.slice(2), {
    env: process.env,
    cwd: process.cwd(),
    cli: realpathSync(process.argv[1] ?? ""),
    terminal: createTerminal(process.env, process),
    readInput: () => readFileSync(0, "utf8"),
  });
}

void main();
