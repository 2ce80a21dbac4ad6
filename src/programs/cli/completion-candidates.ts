import type { Argument, Command, Option } from "commander";

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** What can come at a position of the command line. */
export type Candidates =
  | { readonly type: "values"; readonly values: readonly Candidate[] }
  /** Any file; shells complete those themselves. */
  | { readonly type: "files" };

/** Values that have to be looked up on this machine, and only when needed. */
export interface Sources {
  readonly loops: () => Promise<readonly Candidate[]>;
}

const NOTHING: Candidates = { type: "values", values: [] };

/** What can come next after `words`. The last word is still being typed. */
export async function candidates(
  program: Command,
  words: readonly string[],
  sources: Sources,
): Promise<Candidates> {
  const { written, current, prefix } = lastWord(joined(words));
  const position = walk(program, written);
  if (prefix !== null) {
    const option = optionOf(position.command, prefix.option);
    return option === null ? NOTHING : narrowed(await valuesOf(option, sources), current, prefix.kept);
  }
  if (position.awaited !== null) return narrowed(await valuesOf(position.awaited, sources), current);
  if (current.startsWith("-") && !position.isLiteral) return narrowed(optionsOf(position.command), current);
  const expected = narrowed(operandsOf(position), current);
  const isOpen = expected.type === "values" && expected.values.length === 0 && current === "";
  return isOpen && !position.isLiteral ? optionsOf(position.command) : expected;
}

/** bash passes `--loop=x` as three words. */
function joined(words: readonly string[]): { readonly words: readonly string[]; readonly wasSplit: boolean } {
  const result: string[] = [];
  let wasSplit = false;
  let continues = false;
  for (const word of words) {
    wasSplit = continues || word === "=";
    if (wasSplit) result.push(`${result.pop() ?? ""}${word}`);
    else result.push(word);
    continues = word === "=";
  }
  return { words: result, wasSplit };
}

interface LastWord {
  readonly written: readonly string[];
  /** What the candidates start with. */
  readonly current: string;
  /** The `--option=` before it; a shell that treats the whole as one word needs it back. */
  readonly prefix: { readonly option: string; readonly kept: string } | null;
}

function lastWord({ words, wasSplit }: ReturnType<typeof joined>): LastWord {
  const written = words.slice(0, -1);
  const word = words.at(-1) ?? "";
  const match = /^(--[^=]+)=(.*)$/s.exec(word);
  if (match === null || written.includes("--")) return { written, current: word, prefix: null };
  const [, option = "", current = ""] = match;
  return { written, current, prefix: { option, kept: wasSplit ? "" : `${option}=` } };
}

interface Position {
  readonly command: Command;
  /** The option whose value comes now. */
  readonly awaited: Option | null;
  readonly operands: number;
  /** After `--` nothing is an option. */
  readonly isLiteral: boolean;
}

function walk(program: Command, words: readonly string[]): Position {
  let position: Position = { command: program, awaited: null, operands: 0, isLiteral: false };
  for (const word of words) position = step(position, word);
  return position;
}

function step(position: Position, word: string): Position {
  if (position.awaited !== null) return { ...position, awaited: null };
  if (word === "--") return { ...position, isLiteral: true };
  if (word.startsWith("-") && !position.isLiteral) {
    const option = optionOf(position.command, word);
    return { ...position, awaited: option?.required === true ? option : null };
  }
  // After it come the same names as without it.
  if (word === "help" && position.operands === 0) return position;
  const subcommand = position.operands === 0 ? subcommandOf(position.command, word) : undefined;
  if (subcommand !== undefined) return { ...position, command: subcommand };
  return { ...position, operands: position.operands + 1 };
}

function subcommandOf(command: Command, name: string): Command | undefined {
  return command.commands.find((each) => each.name() === name || each.aliases().includes(name));
}

/** An option of the command itself, or of a parent command. */
function optionOf(command: Command, flag: string): Option | null {
  for (let each: Command | null = command; each !== null; each = each.parent) {
    const option = each.options.find(({ long, short }) => long === flag || short === flag);
    if (option !== undefined) return option;
  }
  return null;
}

function optionsOf(command: Command): Candidates {
  const values = command
    .createHelp()
    .visibleOptions(command)
    .map(({ long, short, description }) => ({
      value: long ?? short ?? "",
      description,
    }));
  return { type: "values", values };
}

function operandsOf({ command, operands }: Position): Candidates {
  const subcommands = operands === 0 ? command.createHelp().visibleCommands(command) : [];
  const argument = argumentAt(command.registeredArguments, operands);
  if (argument !== undefined && /\bfile\b/.test(argument.name())) return { type: "files" };
  return {
    type: "values",
    values: [
      ...subcommands.map((each) => ({
        value: each.name(),
        description: each.summary() || each.description(),
      })),
      ...(argument?.argChoices ?? []).map((value) => ({ value, description: argument?.description ?? "" })),
    ],
  };
}

function argumentAt(all: readonly Argument[], index: number): Argument | undefined {
  const last = all.at(-1);
  return all[index] ?? (last?.variadic === true ? last : undefined);
}

async function valuesOf(option: Option, sources: Sources): Promise<Candidates> {
  if (option.argChoices !== undefined) {
    return { type: "values", values: option.argChoices.map((value) => ({ value, description: "" })) };
  }
  if (/<(path|file)>/.test(option.flags)) return { type: "files" };
  return option.long === "--loop" ? { type: "values", values: await sources.loops() } : NOTHING;
}

function narrowed(found: Candidates, beginning: string, kept = ""): Candidates {
  if (found.type === "files") return found;
  const values = found.values
    .filter(({ value }) => value.startsWith(beginning))
    .map((each) => ({ ...each, value: `${kept}${each.value}` }));
  return { type: "values", values };
}
