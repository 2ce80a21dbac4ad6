import { CommanderError } from "commander";
import { errnoOf } from "../files/errno.ts";
import { JournalError } from "../journal/journal-error.ts";
import { UserError } from "../loops/user-error.ts";
import { createProgram } from "./program.ts";
import type { Terminal } from "./terminal.ts";

/** What a command line gets from the process that runs it. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** The file of the program `loop`, which starts itself again as guardian and as player. */
  readonly cli: string;
  readonly terminal: Terminal;
  /** All of standard input. */
  readonly readInput: () => string;
}

const INTERRUPTED = 130;

/** Runs one command line of `loop`, says what went wrong, and resolves with the exit code. */
export async function execute(
  words: readonly string[],
  { env, cwd, ...others }: Surroundings,
): Promise<number> {
  let code = 0;
  const endWith = (asked: number): void => {
    code = asked;
  };
  try {
    const program = await createProgram(words, others.terminal, async () => {
      const { createMachine } = await import("../loops/machine.ts");
      return { ...others, machine: createMachine(env, cwd), endWith };
    });
    await program.parseAsync([...words], { from: "user" });
    return code;
  } catch (error) {
    return failWith(error, others.terminal, env["LOOP_DEBUG"] === "1");
  }
}

function failWith(error: unknown, { complain }: Terminal, isDebugged: boolean): number {
  // Commander has said it already.
  if (error instanceof CommanderError) return error.exitCode;
  if (error instanceof UserError) {
    complain(`loop: ${error.message}`);
    return error.exitCode;
  }
  if (error instanceof Error && error.name === "AbortError") return INTERRUPTED;
  if (error instanceof JournalError) {
    const what =
      error.code === "missing"
        ? "The loop's folder was deleted, which cancels it; nothing was written."
        : `${error.message}.`;
    complain(`loop: ${what}`);
    return 1;
  }
  const unwritable = unwritablePath(error);
  if (unwritable !== null) {
    complain(`loop: ${unwritable}; check its rights, or the space on its disk.`);
    return 1;
  }
  complain(
    `loop: something went wrong that should not: ${error instanceof Error ? error.message : String(error)}`,
  );
  if (isDebugged && error instanceof Error) complain(error.stack ?? "");
  return 1;
}

/** A file that cannot be written is the user's to mend. */
function unwritablePath(error: unknown): string | null {
  const code = errnoOf(error);
  if (code === undefined || !["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT"].includes(code)) return null;
  const path = error instanceof Error && "path" in error ? String(error.path) : "A file";
  return `${path} cannot be written (${code})`;
}
