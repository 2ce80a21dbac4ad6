import { Command } from "commander";
import { COMMAND_MODULES, HELP_GROUP, type CommandModule } from "./command-table.ts";
import type { Context } from "./context.ts";
import type { Terminal } from "../../views/terminal/terminal.ts";

declare const LOOPWRIGHT_VERSION: string;

/** The program with the commands that `words` ask for, and only name and summary of all others. Only commands need the context. */
export async function createProgram(
  words: readonly string[],
  terminal: Terminal,
  createContext: () => Promise<Context>,
): Promise<Command> {
  const program = new Command("loop")
    .description(
      "Keeps a coding agent working until checks show that the spec is satisfied, or a limit pauses it.",
    )
    .version(LOOPWRIGHT_VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help; every command has its own, with examples")
    .configureHelp({ subcommandTerm: (command) => command.name(), showGlobalOptions: false })
    .configureOutput({
      writeOut: terminal.printAsIs,
      writeErr: terminal.complainAsIs,
      outputError: (text, write) => write(`${bounded(inOurWords(text))}\n`),
    })
    .exitOverride()
    .addHelpText(
      "after",
      `
Examples:
  $ loop demo                           see it work, with no key
  $ loop run "Fix the failing tests" -c "tests pass=npm test" --shape tool
  $ loop check && loop status           run the checks, show the status
  $ loop continue --budget=25           resume after a pause, with $25 more`,
    );
  const asked = askedCommands(words);
  for (const module of COMMAND_MODULES) {
    program.commandsGroup(module.group);
    if (namesOf(module).some((name) => asked.includes(name)))
      (await module.load())(program, await createContext());
    else for (const name of namesOf(module)) program.command(name, { hidden: isHidden(module, name) });
    for (const [name, summary] of Object.entries(module.summaries)) commandOf(program, name).summary(summary);
  }
  sayWhereHelpIs(program, "loop");
  return program.addHelpCommand(
    new Command("help").argument("[command]").description("help for a command").helpGroup(HELP_GROUP),
  );
}

/** `error: command-argument value 'foo' is invalid for argument 'scene'. Allowed choices are plan.` */
function inOurWords(text: string): string {
  return text
    .replace(/^error: /, "loop: ")
    .replace(
      /command-argument value ('.*') is invalid for argument '(.*?)'/s,
      (_, given: string, argument: string) => {
        return `${given} isn't ${/^[aeiou]/.test(argument) ? "an" : "a"} ${argument}`;
      },
    )
    .trimEnd();
}

function sayWhereHelpIs(command: Command, line: string): void {
  command.showHelpAfterError(`(see ${line} --help)`);
  for (const each of command.commands) sayWhereHelpIs(each, `${line} ${each.name()}`);
}

function namesOf({ summaries, hidden = [] }: CommandModule): readonly string[] {
  return [...Object.keys(summaries), ...hidden];
}

function isHidden({ hidden = [] }: CommandModule, name: string): boolean {
  return hidden.includes(name);
}

function commandOf(program: Command, name: string): Command {
  const command = program.commands.find((each) => each.name() === name);
  if (command === undefined) throw new Error(`the module of ${name} does not add it`);
  return command;
}

/** The words that may name the command the user wants options, help or completion for. */
export function askedCommands(words: readonly string[]): readonly string[] {
  const [first, ...others] = words.filter((word) => !isOption(word));
  switch (first) {
    case undefined:
      return [];
    case "help":
      return others.slice(0, 1);
    // The line is still being typed, so any of its words may be the command.
    case "complete":
      return [first, ...others];
    default:
      return [first];
  }
}

/** Like commander: a single dash counts as a word. */
function isOption(word: string): boolean {
  return word.length > 1 && word.startsWith("-");
}

const LONGEST_COMPLAINT = 1_000;

/** Cuts an error message that quotes long input. */
export function bounded(text: string): string {
  return text.length <= LONGEST_COMPLAINT ? text : `${text.slice(0, LONGEST_COMPLAINT)}…`;
}
