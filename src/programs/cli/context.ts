import type { Machine } from "../../storage/loops/machine.ts";
import type { Answers } from "./questions/answers.ts";
import type { Terminal } from "../../views/terminal/terminal.ts";

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
