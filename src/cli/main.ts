import { createMachine } from "../loops/machine.ts";
import { UserError } from "../loops/user-error.ts";
import { JournalError } from "../journal/journal-error.ts";
import { errnoOf } from "../files/errno.ts";
import { createProgram } from "./program.ts";
import { endWithReaders } from "./readers.ts";
import { exitOnSignals } from "./signals.ts";
import { createTerminal } from "./terminal.ts";

const terminal = createTerminal(process.env);

endWithReaders();
exitOnSignals();

async function main(): Promise<void> {
  const machine = createMachine(process.env, process.cwd());
  const program = await createProgram({ machine, terminal }, process.argv.slice(2));
  await program.parseAsync();
}

main().catch((error: unknown) => {
  if (error instanceof UserError) {
    terminal.complain(`loop: ${error.message}`);
    process.exitCode = error.exitCode;
    return;
  }
  if (error instanceof Error && error.name === "AbortError") {
    process.exitCode = 130;
    return;
  }
  if (error instanceof JournalError) {
    const what =
      error.code === "missing"
        ? "The loop's folder was deleted, which cancels it; nothing was written."
        : `${error.message}.`;
    terminal.complain(`loop: ${what}`);
    process.exitCode = 1;
    return;
  }
  const unwritable = unwritablePath(error);
  if (unwritable !== null) {
    terminal.complain(`loop: ${unwritable}; check its rights, or the space on its disk.`);
    process.exitCode = 1;
    return;
  }
  terminal.complain(
    `loop: something went wrong that should not: ${error instanceof Error ? error.message : String(error)}`,
  );
  if (process.env["LOOP_DEBUG"] === "1" && error instanceof Error) terminal.complain(error.stack ?? "");
  process.exitCode = 1;
});

/** A file that cannot be written is the user's to mend. */
function unwritablePath(error: unknown): string | null {
  const code = errnoOf(error);
  if (code === undefined || !["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT"].includes(code)) return null;
  const path = error instanceof Error && "path" in error ? String(error.path) : "A file";
  return `${path} cannot be written (${code})`;
}
