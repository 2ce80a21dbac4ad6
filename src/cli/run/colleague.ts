import { createInterface } from "node:readline/promises";
import type { Loop } from "../../core/loop.ts";
import type { Person } from "../../run/run-context.ts";
import { nextAction } from "../../views/next-action.ts";
import { fileChangeLines } from "../file-change-lines.ts";
import type { Terminal } from "../terminal.ts";
import type { TerminalInterrupts } from "./interrupts.ts";
import { unmetNames } from "./run-lines.ts";

type Changes = Parameters<Person["goesOn"]>[1];

/** The person at the terminal, who sees what an iteration changed and says whether to continue. */
export function colleague(terminal: Terminal, interrupts: TerminalInterrupts): Person {
  return {
    goesOn: async (loop, changes, lost) => {
      for (const line of whatChanged(terminal, loop, changes)) terminal.print(line);
      const reader = createInterface({ input: process.stdin, output: process.stdout });
      const given = new AbortController();
      const signal = AbortSignal.any([given.signal, interrupts.first, lost]);
      reader.once("SIGINT", interrupts.interrupt);
      // The end of the input doesn't mean yes.
      reader.once("close", () => given.abort());
      try {
        for (;;) {
          const answer = (await reader.question("Continue? [Y/n] ", { signal })).trim().toLowerCase();
          if (["", "y", "yes"].includes(answer)) return true;
          if (["n", "no", "q", "quit", "stop"].includes(answer)) return false;
          terminal.print(
            "Please answer y or n. To give the agent directions, pause and use: loop criteria add, loop step add",
          );
        }
      } catch {
        terminal.print("");
        return false;
      } finally {
        reader.close();
      }
    },
  };
}

function whatChanged(terminal: Terminal, loop: Loop, changes: Changes): readonly string[] {
  const next = `Next: ${nextAction(loop, unmetNames(loop))}`;
  if (changes === null) return [next];
  if (changes.length === 0) return ["No file changed.", next];
  return ["Changed:", ...fileChangeLines(terminal, changes), next];
}
