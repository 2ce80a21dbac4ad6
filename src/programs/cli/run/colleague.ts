import type { Loop } from "../../../core/loop/loop.ts";
import type { GoesOn, Person } from "../../../engine/run/run-context.ts";
import { nextAction } from "../../../views/next-action.ts";
import { fileChangeLines } from "../../../views/terminal/file-change-lines.ts";
import type { Choices } from "../questions/choose.ts";
import { choose } from "../questions/choose.ts";
import type { Terminal } from "../../../views/terminal/terminal.ts";
import type { TerminalInterrupts } from "./interrupts.ts";
import { unmetNames } from "../../../views/criterion.ts";

type Changes = Parameters<Person["goesOn"]>[1];

const CONTINUE: Choices<GoesOn> = {
  words: {
    once: ["yes"],
    no: ["no", "q", "quit", "stop"],
    always: ["always", "all"],
  },
  meanings: { once: "go on", no: "pause here", always: "go on without asking again" },
  usual: "once",
  atEnd: "no",
  hint: " To tell it something, pause and use: loop criteria add, loop step add",
};

/** The person at the terminal: sees what an iteration changed, and says whether to go on, and whether to be asked again. */
export function colleague(terminal: Terminal, interrupts: TerminalInterrupts): Person {
  return {
    goesOn: async (loop, changes, lost) => {
      for (const line of whatChanged(terminal, loop, changes)) terminal.print(line);
      const signal = AbortSignal.any([interrupts.first, lost]);
      try {
        const answer = await choose(terminal, "Continue?", CONTINUE, {
          signal,
          onInterrupt: interrupts.interrupt,
        });
        if (answer === "always") terminal.print("loop: It goes on by itself from here on.");
        return answer;
      } catch (error) {
        if (signal.aborted) return "no";
        throw error;
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
