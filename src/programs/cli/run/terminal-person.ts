import { oneLine, printable } from "../../../system/text/plain-text.ts";
import type { Said, StagePerson } from "../../../engine/plan/stages/stage-context.ts";
import { askAll } from "../questions/ask-all.ts";
import { choose, confirm, readAnswer, type Choices, type Asking } from "../questions/choose.ts";
import type { Terminal } from "../../../views/terminal/terminal.ts";
import type { TerminalInterrupts } from "./attended-run.ts";
import { plannedLines, shapeLines } from "../../../views/terminal/stage-view.ts";

/** `change`: what the edit does. */
function choicesOf(change: string): Choices<Said["type"]> {
  return {
    words: { yes: ["yes"], no: ["no", "q", "quit", "stop"], change: ["edit", "change"] },
    meanings: { yes: "continue", no: "pause here", change },
    usual: "yes",
    atEnd: "no",
  };
}

const EACH: Choices<"yes" | "no" | "each"> = {
  words: { yes: ["yes", "all"], no: ["no", "none"], each: ["each"] },
  meanings: { yes: "all of them", no: "none", each: "ask for each" },
  usual: "no",
  atEnd: "no",
};

/** Which commands may run: all, none, or one by one. */
async function allowed(terminal: Terminal, commands: readonly string[]): Promise<readonly string[]> {
  const question = "Let them run here?";
  if (commands.length === 1) return (await confirm(terminal, question, "no")) ? commands : [];
  const said = await choose(terminal, question, EACH);
  if (said !== "each") return said === "yes" ? commands : [];
  const chosen: string[] = [];
  for (const command of commands)
    if (await confirm(terminal, `Let this run here: ${command}`, "no")) chosen.push(command);
  return chosen;
}

/** The person at the terminal, who says what is meant and agrees to the shape and the plan. */
export function terminalPerson(terminal: Terminal, interrupts: TerminalInterrupts): StagePerson {
  const asking: Asking = { signal: interrupts.first, onInterrupt: interrupts.interrupt };
  /** Ctrl-C pauses the loop, like a no. */
  const unlessInterrupted = async <Answered>(
    ask: () => Promise<Answered>,
    otherwise: Answered,
  ): Promise<Answered> => {
    try {
      return await ask();
    } catch (error) {
      if (interrupts.asked()) return otherwise;
      throw error;
    }
  };
  const goesOn = async (
    question: string,
    { change, what, note }: { readonly change: string; readonly what: string; readonly note: string },
  ): Promise<Said> =>
    unlessInterrupted<Said>(
      async () => {
        const answer = await choose(terminal, question, choicesOf(change), asking);
        if (answer !== "change") return { type: answer };
        terminal.print(`  ${terminal.paint("dim", note)}`);
        const text = await readAnswer(terminal, { text: what, hint: "nothing", usual: "nothing" }, asking);
        return text === null || text === "" ? { type: "yes" } : { type: "change", text };
      },
      { type: "no" },
    );
  return {
    answer: async (why, questions) =>
      unlessInterrupted(async () => askAll(terminal, why, questions, asking), null),
    confirms: async (_, { isReplaced }) =>
      goesOn("Is that what you mean?", {
        change: "say it in other words",
        what: "What do you mean instead?",
        note: isReplaced
          ? "Your words replace the spec."
          : "Your words go on top of the spec, which becomes their background.",
      }),
    agrees: async (to, loop) => {
      if (to === "shape") for (const line of shapeLines(terminal, loop)) terminal.print(line);
      else
        for (const line of plannedLines(terminal, loop.workflow?.plan ?? { source: "agent", tasks: [] }))
          terminal.print(line);
      return goesOn("Continue?", {
        change: `change the ${to}`,
        what: `What should be different about the ${to}?`,
        note: "Every agent is told your words; they count where they differ from the spec.",
      });
    },
    approves: async (commands, author) => {
      terminal.print(
        author === "model"
          ? "A model proposes these commands as checks:"
          : "The spec names these commands as what has to pass:",
      );
      for (const { name, command } of commands)
        terminal.print(`  ${oneLine(name, 60)}: ${printable(command)}`);
      const texts = [...new Set(commands.map(({ command }) => command))];
      return unlessInterrupted(async () => new Set(await allowed(terminal, texts)), new Set());
    },
    keeps: async ({ criterion, file, content }) => {
      terminal.print(`A model wrote a test of "${oneLine(criterion, 80)}" (${oneLine(file, 80)}):`);
      for (const line of printable(content).trimEnd().split("\n")) terminal.print(`  │ ${line}`);
      const question =
        "Run it in a clean room, and hold it out for the end if it fails now? The agents never see it.";
      return unlessInterrupted(async () => confirm(terminal, question, "yes"), false);
    },
  };
}
