import type { Command, Option } from "commander";
import { shellWord } from "../../../system/text/plain-text.ts";
import { askedCommands } from "../program.ts";

/** What was answered at the terminal, as the command line that would have said it, so that a command that fails loses none of it. */
export class Answers {
  readonly #flags: string[] = [];
  readonly #criteria = new Map<string, string>();
  #spec: string | null = null;

  /** Said by flags. */
  addFlags(...words: readonly string[]): void {
    this.#flags.push(...words);
  }

  /** What `-c` was given needs another form to be understood without a question. */
  settleCriterion(given: string, settled: string): void {
    this.#criteria.set(given, settled);
  }

  setSpec(spec: string): void {
    this.#spec = spec;
  }

  /** They are on record elsewhere by now. */
  forget(): void {
    this.#flags.length = 0;
    this.#criteria.clear();
    this.#spec = null;
  }

  get isEmpty(): boolean {
    return this.#flags.length === 0 && this.#criteria.size === 0 && this.#spec === null;
  }

  get flags(): readonly string[] {
    return this.#flags;
  }

  get spec(): string | null {
    return this.#spec;
  }

  criterion(given: string): string {
    return this.#criteria.get(given.trim()) ?? given;
  }
}

type GivenOption = { readonly flag: string; readonly option: Option | null; readonly value: string | null };

/** The command line as it was given, with the answers in it; null where nothing was answered. */
export function repeatedLine(program: Command, line: readonly string[], answers: Answers): string | null {
  const [name = ""] = askedCommands(line);
  const command = program.commands.find((each) => each.name() === name);
  if (command === undefined || answers.isEmpty) return null;
  const { operands, options } = wordsByKind(command, line.slice(line.indexOf(name) + 1));
  const { spec } = answers;
  const kept = options.filter(({ option }) => spec === null || option?.long !== "--file");
  const repeated = kept.flatMap(({ flag, option, value }) => {
    if (value === null) return [flag];
    return [flag, option?.long === "--criterion" ? answers.criterion(value) : value];
  });
  const said = spec === null ? operands : [spec];
  const all = said.some((word) => word.startsWith("-"))
    ? [...repeated, ...answers.flags, "--", ...said]
    : [...said, ...repeated, ...answers.flags];
  return ["loop", name, ...all].map(shellWord).join(" ");
}

function wordsByKind(
  command: Command,
  words: readonly string[],
): { readonly operands: readonly string[]; readonly options: readonly GivenOption[] } {
  const operands: string[] = [];
  const options: GivenOption[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      operands.push(...rest.splice(0));
    } else if (word.length > 1 && word.startsWith("-")) {
      const { flag, joined } = flagOf(command, word);
      const option = optionOf(command, flag);
      const takesNext = option?.required === true && joined === null;
      options.push({ flag, option, value: takesNext ? (rest.shift() ?? null) : joined });
    } else {
      operands.push(word);
    }
  }
  return { operands, options };
}

/** `--name=value` and `-nvalue` are a flag and its value in one word. */
function flagOf(command: Command, word: string): { readonly flag: string; readonly joined: string | null } {
  const long = /^(--[^=]+)=(.*)$/s.exec(word);
  if (long !== null) return { flag: long[1] ?? "", joined: long[2] ?? "" };
  const short = word.slice(0, 2);
  if (!word.startsWith("--") && word.length > 2 && optionOf(command, short)?.required === true)
    return { flag: short, joined: word.slice(2) };
  return { flag: word, joined: null };
}

function optionOf(command: Command, flag: string): Option | null {
  return command.options.find(({ long, short }) => long === flag || short === flag) ?? null;
}
