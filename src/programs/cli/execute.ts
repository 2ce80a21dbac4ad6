import { CommanderError, type Command } from "commander";
import { dirname, join } from "node:path";
import { isWithin } from "../../system/files/folders.ts";
import { stateHome } from "../../storage/home/state-home.ts";
import { errnoOf, UnusablePath } from "../../system/files/path-errors.ts";
import { JournalError } from "../../storage/journal/journal-error.ts";
import { UserError } from "../../core/user-error.ts";
import { printable } from "../../system/text/plain-text.ts";
import { bounded, createProgram } from "./program.ts";
import { Answers, repeatedLine } from "./questions/answers.ts";
import type { Terminal } from "../../views/terminal/terminal.ts";
import { INTERRUPTED } from "./ending-process.ts";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { TreeWatch } from "../../system/tree/tree-digest.ts";

/** What the process gives to the command line it runs. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** The file of the program `loop`, which starts itself again as guardian and as player. */
  readonly cli: string;
  readonly terminal: Terminal;
  /** All of standard input. */
  readonly readInput: () => string;
}

/** Runs one command line of `loop`, reports errors, and resolves with the exit code. */
export async function execute(
  words: readonly string[],
  { env, cwd, ...others }: Surroundings,
): Promise<number> {
  let code = 0;
  const endWith = (asked: number): void => {
    code = asked;
  };
  const answers = new Answers();
  let program: Command | null = null;
  const sayHowToRepeat = (exitCode: number): void => {
    process.off("exit", sayHowToRepeat);
    const line = exitCode === 0 || program === null ? null : repeatedLine(program, words, answers);
    if (line !== null)
      others.terminal.complain(`loop: To repeat it with your answers:\n  ${printable(line)}`);
  };
  // A signal ends the process from anywhere; without a terminal nobody is asked.
  if (others.terminal.isInteractive) process.once("exit", sayHowToRepeat);
  try {
    program = await createProgram(words, others.terminal, async () => {
      const { createMachine } = await import("../../storage/loops/machine.ts");
      const machine = createMachine(env, cwd, (home) => createTreeWatch(others.terminal, home));
      return { ...others, machine, answers, endWith };
    });
    await program.parseAsync([...words], { from: "user" });
  } catch (error) {
    code = failWith(await asAdvised(error, env), others.terminal, env);
  }
  sayHowToRepeat(code);
  return code;
}

/** In a session, advice is what its user types there. */
async function asAdvised(error: unknown, env: NodeJS.ProcessEnv): Promise<unknown> {
  if (!(error instanceof UserError)) return error;
  const { callerOf } = await import("../../agents/hosts/caller.ts");
  const { findHost } = await import("../../agents/hosts/hosts.ts");
  const { adviceIn } = await import("../../agents/hosts/typed-command.ts");
  const caller = callerOf(env);
  const host = caller.kind === "person" ? null : findHost(caller.host);
  return host === null ? error : new UserError(adviceIn(error.message, host), { exitCode: error.exitCode });
}

function failWith(error: unknown, { complain }: Terminal, env: NodeJS.ProcessEnv): number {
  // Commander has already printed it.
  if (error instanceof CommanderError) return error.exitCode;
  if (error instanceof UserError) {
    complain(`loop: ${bounded(error.message)}`);
    return error.exitCode;
  }
  if (error instanceof UnusablePath) {
    complain(`loop: ${bounded(error.message)}`);
    return 1;
  }
  if (error instanceof Error && error.name === "AbortError") return INTERRUPTED;
  if (error instanceof JournalError) {
    const what =
      error.code === "missing"
        ? "The loop's folder was deleted, which cancels the loop; nothing was written. See which files a run kept with: loop undo --list"
        : `${error.message}.`;
    complain(`loop: ${bounded(what)}`);
    return 1;
  }
  const unwritable = unwritableHome(error, env) ?? unwritablePath(error);
  if (unwritable !== null) {
    complain(`loop: ${bounded(unwritable)}`);
    return 1;
  }
  const what = error instanceof Error ? error.message : String(error);
  complain(`loop: unexpected error: ${bounded(what)}`);
  if (env["LOOP_DEBUG"] === "1" && error instanceof Error) complain(error.stack ?? "");
  return 1;
}

/** What the user can do, by system error code. */
const REMEDIES: { readonly [code: string]: string } = {
  EACCES: "check its permissions",
  EPERM: "check its permissions",
  EROFS: "its disk cannot be written to",
  ENOSPC: "its disk is full",
  EDQUOT: "its disk is full",
  ENOTDIR: "part of its path is not a folder",
  EEXIST: "something else is in its place",
  EISDIR: "a folder is in its place",
  ELOOP: "its path has circular links",
  ENAMETOOLONG: "its name is too long",
};

/** In a read-only system, a folder that isn't there is reported as missing when it is to be made. */
const NOT_WRITABLE = new Set(["EROFS", "EACCES", "EPERM", "ENOENT"]);

/** An agent's sandbox lets its shell write the project, but not what this machine knows about loops. */
function unwritableHome(error: unknown, env: NodeJS.ProcessEnv): string | null {
  const code = errnoOf(error) ?? "";
  if (!NOT_WRITABLE.has(code) || !(error instanceof Error) || !("path" in error)) return null;
  const path = String(error.path);
  const isMade = "syscall" in error && error.syscall === "mkdir";
  let home: string;
  try {
    home = stateHome(env);
  } catch {
    return null;
  }
  if (!isWithin(path, home) && !(isMade && isWithin(home, path))) return null;
  return `The state home ${home} cannot be written here (${code}). In an agent's sandbox, use the tools of loop mcp instead, or run this outside of it; otherwise check its permissions.`;
}

/** A file that cannot be written is for the user to fix. */
function unwritablePath(error: unknown): string | null {
  const code = errnoOf(error) ?? "";
  const path = error instanceof Error && "path" in error ? String(error.path).slice(0, 300) : "A file";
  const isTemporary = error instanceof Error && "syscall" in error && error.syscall === "mkdtemp";
  if (isTemporary) return `${dirname(path)} cannot be used (${code}); set TMPDIR to a folder you own.`;
  const remedy = REMEDIES[code];
  return remedy === undefined ? null : `${path} cannot be used (${code}): ${remedy}.`;
}

const SHOWN_AFTER_MS = 1_000;
const SHOWN_EVERY_MS = 200;

/** Shows progress while the first look at a project's files takes long, and reports what is odd about them, once per project. */
function createTreeWatch({ isInteractive, complain, complainAsIs }: Terminal, home: string): TreeWatch {
  const began = performance.now();
  let shownAt: number | null = null;
  let isFirst = true;
  return {
    reads(done, all) {
      const now = performance.now();
      if (!isInteractive || !isFirst || now - began < SHOWN_AFTER_MS) return;
      if (shownAt !== null && now - shownAt < SHOWN_EVERY_MS) return;
      shownAt = now;
      complainAsIs(`\r\u001B[KReading files: ${done.toLocaleString("en")} of ${all.toLocaleString("en")}`);
    },
    ends(root, notes) {
      isFirst = false;
      if (shownAt !== null) complainAsIs("\r\u001B[K");
      shownAt = null;
      const told = join(
        home,
        "trees",
        `${createHash("sha256").update(root).digest("hex").slice(0, 32)}.told`,
      );
      if (notes.length === 0 || notes.join("\n") === textOf(told)) return;
      for (const note of notes) complain(`loop: ${bounded(note)}`);
      remember(told, notes.join("\n"));
    },
  };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function remember(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { mode: 0o600 });
  } catch {
    // It is reported once more.
  }
}
