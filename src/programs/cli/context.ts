import type { Machine } from "../../storage/loops/machine.ts";
import type { Answers } from "./questions/answers.ts";
import type { Terminal } from "../../views/terminal/terminal.ts";
import { callerNow } from "../../storage/loops/caller-now.ts";
import { UserError } from "../../core/user-error.ts";
import type { SessionId } from "../../core/loop/id.ts";
import type { Binding } from "../../core/loop/loop.ts";
import { DEFAULT_HOST } from "../../agents/hosts/hosts.ts";

export interface Context {
  readonly machine: Machine;
  readonly terminal: Terminal;
  /** The file of the program `loop`, which starts itself again as guardian and as player. */
  readonly cli: string;
  /** All of standard input. */
  readonly readInput: () => string;
  /** What the person at the terminal has said so far. */
  readonly answers: Answers;
  /** Leaves the code that the command ends with. */
  readonly endWith: (exitCode: number) => void;
}

export function printJson({ terminal }: Pick<Context, "terminal">, value: unknown): void {
  terminal.print(JSON.stringify(value, null, 2));
}

/** Whether a person is there to answer questions. */
export function isAttended(
  { machine, terminal }: Pick<Context, "machine" | "terminal">,
  flags: { readonly json?: boolean },
): boolean {
  return terminal.isInteractive && flags.json !== true && machine.env["LOOP_HEADLESS"] !== "true";
}

/** A driven agent cannot start another one: nobody would account for its budget. */
export function expectOutside({ machine }: Pick<Context, "machine">): void {
  const caller = callerNow(machine);
  if (caller.kind === "agent" && caller.host === "loop")
    throw new UserError("A run cannot start another run; work on the task itself.");
}

/** The session to bind to: the one a person names, otherwise the caller's own. */
export function bindingOf(machine: Machine, named: SessionId | undefined): Binding | null {
  const caller = callerNow(machine);
  const host = caller.kind === "agent" ? caller.host : DEFAULT_HOST.id;
  if (caller.kind === "agent" && caller.session !== null && named !== undefined && named !== caller.session)
    throw new UserError(
      "An agent can only bind its own session: leave out --session, or ask the user to run this in their own terminal.",
    );
  if (named !== undefined) return { session: named, host };
  return caller.kind === "agent" && caller.session !== null ? { session: caller.session, host } : null;
}
