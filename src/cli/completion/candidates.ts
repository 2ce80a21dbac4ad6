import type { Argument, Command, Option } from "commander";

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** What may stand in a place of the command line. */
export type Candidates =
  | { readonly type: "values"; readonly values: readonly Candidate[] }
  /** Any file; shells know those themselves. */
  | { readonly type: "files" };

/** Values that only a look at the machine knows; asked for only where they are needed. */
export interface Sources {
  readonly loops: () => readonly Candidate[];
}

const NOTHING: Candidates = { type: "values", values: [] };

/** What can come next after `words`, of which the last one is still being written. */
export function candidates(program: Command, words: readonly string[], sources: Sources): Candidates {
  const { written, current, prefix } = lastWord(joined(words));
  const place = walk(program, written);
  if (prefix !== null) {
    const option = optionOf(place.command, prefix.option);
    return option === null ? NOTHING : narrowed(valuesOf(option, sources), current, prefix.kept);
  }
  if (place.awaited !== null) return narrowed(valuesOf(place.awaited, sources), current);
  if (current.startsWith("-") && !place.isLiteral) return narrowed(optionsOf(place.command), current);
  const expected = narrowed(operandsOf(place), current);
  const isOpen = expected.type === "values" && expected.values.length === 0 && current === "";
  return isOpen && !place.isLiteral ? optionsOf(place.command) : expected;
}

/** bash hands `--loop=x` over as three words. */
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
  /** What the candidates begin with. */
  readonly current: string;
  /** `--option=` before it; a shell that takes the word for one wants it back. */
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

interface Place {
  readonly command: Command;
  /** The option whose value comes now. */
  readonly awaited: Option | null;
  readonly operands: number;
  /** After `--` nothing is an option. */
  readonly isLiteral: boolean;
}

function walk(program: Command, words: readonly string[]): Place {
  let place: Place = { command: program, awaited: null, operands: 0, isLiteral: false };
  for (const word of words) place = step(place, word);
  return place;
}

function step(place: Place, word: string): Place {
  if (place.awaited !== null) return { ...place, awaited: null };
  if (word === "--") return { ...place, isLiteral: true };
  if (word.startsWith("-") && !place.isLiteral) {
    const option = optionOf(place.command, word);
    return { ...place, awaited: option?.required === true ? option : null };
  }
  // After it come the same names as without it.
  if (word === "help" && place.operands === 0) return place;
  const subcommand = place.operands === 0 ? subcommandOf(place.command, word) : undefined;
  if (subcommand !== undefined) return { ...place, command: subcommand };
  return { ...place, operands: place.operands + 1 };
}

function subcommandOf(command: Command, name: string): Command | undefined {
  return command.commands.find((each) => each.name() === name || each.aliases().includes(name));
}

/** An option of the command itself, or of one that it belongs to. */
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

function operandsOf({ command, operands }: Place): Candidates {
  const subcommands = operands === 0 ? command.createHelp().visibleCommands(command) : [];
  const argument = argumentAt(command.registeredArguments, operands);
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

function valuesOf(option: Option, sources: Sources): Candidates {
  if (option.argChoices !== undefined) {
    return { type: "values", values: option.argChoices.map((value) => ({ value, description: "" })) };
  }
  if (/<(path|file)>/.test(option.flags)) return { type: "files" };
  return option.long === "--loop" ? { type: "values", values: sources.loops() } : NOTHING;
}

function narrowed(found: Candidates, beginning: string, kept = ""): Candidates {
  if (found.type === "files") return found;
  const values = found.values
    .filter(({ value }) => value.startsWith(beginning))
    .map((each) => ({ ...each, value: `${kept}${each.value}` }));
  return { type: "values", values };
}
