import { realpathSync } from "node:fs";
import { readUpTo } from "../../system/files/read-file.ts";
import { execute } from "./execute.ts";
import { endWithoutTerminal, endWithReaders, exitOnSignals } from "./ending-process.ts";
import { createTerminal } from "../../views/terminal/terminal.ts";

endWithReaders();
endWithoutTerminal();
exitOnSignals();

// An agent that lists processes must not learn where its holdout is.
if (process.argv.some((word) => word.startsWith("--holdout-from"))) process.title = "loop";

/** A host's payload is little more than a message. */
const LARGEST_INPUT_BYTES = 64 * 1024 * 1024;

async function main(): Promise<void> {
  const terminal = createTerminal(process.env, process);
  const cwd = currentFolder();
  if (cwd === null) {
    terminal.complain("loop: The current folder was deleted; change to another one.");
    process.exitCode = 1;
    return;
  }
  process.exitCode = await execute(process.argv.slice(2), {
    env: process.env,
    cwd,
    cli: realpathSync(process.argv[1] ?? ""),
    terminal,
    readInput: () => readUpTo(0, LARGEST_INPUT_BYTES),
  });
}

function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

void main();
