import type { CommandLine } from "../../../core/loop/criterion.ts";
import { quoted } from "./tokenize.ts";
import { callsNothing, simpleCommands, type SimpleCommand } from "./simple-commands.ts";

/** A place where a command's failure gets lost. */
export interface HiddenExitCode {
  /** The part of the command that hides it. */
  readonly where: string;
  /** One sentence: what happens, and what to write instead. */
  readonly advice: string;
}

const DEEPEST = 4;

/** Finds where a check can pass although what it runs failed. Only for a warning; the command stays as it is. */
export function hidesExitCode(command: CommandLine): readonly HiddenExitCode[] {
  const line = command.kind === "shell" ? command.line : command.argv.map(quoted).join(" ");
  const found = hiddenIn(line, false, 0);
  return found.filter((each, at) => found.findIndex((other) => other.where === each.where) === at);
}

/** Finds it in one line of shell. `stopsEarly`: whoever runs it stops at the first command that fails. */
export function hidesInLine(
  line: string,
  { stopsEarly }: { readonly stopsEarly: boolean },
): readonly HiddenExitCode[] {
  return hiddenIn(stopsEarly ? `set -e\n${line}` : line, false, 0);
}

function hiddenIn(line: string, hasPipefail: boolean, depth: number): readonly HiddenExitCode[] {
  const commands = simpleCommands(line).filter((each) => !callsNothing(each) || each.assignments.length > 0);
  const settings = commands.filter((each) => each.words[0] === "set").flatMap((each) => each.words);
  const pipefail = hasPipefail || settings.includes("pipefail");
  const stopsEarly = settings.some((word) => /^-[a-z]*e/.test(word) || word === "errexit");
  const nested = depth >= DEEPEST ? [] : commands.flatMap((each) => shellLines(each).map((inner) => inner));
  return [
    ...(pipefail ? [] : pipes(commands)),
    ...fallbacks(commands),
    ...(stopsEarly ? [] : sequences(commands)),
    ...commands.flatMap(alone),
    ...negations(commands),
    ...background(commands),
    ...conditions(line, commands),
    ...nested.flatMap((inner) => hiddenIn(inner.line, inner.pipefail, depth + 1)),
  ];
}

function shellLines({
  words,
}: SimpleCommand): readonly { readonly line: string; readonly pipefail: boolean }[] {
  const at = words.findIndex((word) => /^(?:.*\/)?(?:ba|z|da|k)?sh$/.test(word));
  const flag = at === -1 ? -1 : words.findIndex((word, index) => index > at && /^-[a-z]*c$/.test(word));
  const line = flag === -1 ? undefined : words.slice(flag + 1).find((word) => !/^[-+]|^pipefail$/.test(word));
  if (line === undefined) return [];
  const stopsEarly = /e/.test(words[flag] ?? "");
  return [{ line: stopsEarly ? `set -e\n${line}` : line, pipefail: words.includes("pipefail") }];
}

const PRINTERS = new Set("echo printf cat ls find git yes seq pwd env date jq which type".split(" "));
const ALWAYS_FINE = new Set("true : echo printf /bin/true /usr/bin/true".split(" "));
const PREPARES = new Set(
  "cd pushd popd export set source . mkdir rm cp mv touch unset trap alias shopt umask ulimit sleep kill".split(
    " ",
  ),
);

function text({ words, assignments }: SimpleCommand): string {
  return [...assignments.map(([name, value]) => `${name}=${value}`), ...words].join(" ");
}

function isAlwaysFine({ words, negated }: SimpleCommand): boolean {
  const [program = "", first] = words;
  if (negated) return program === "false";
  return ALWAYS_FINE.has(program) || ((program === "exit" || program === "return") && first === "0");
}

function pipes(commands: readonly SimpleCommand[]): readonly HiddenExitCode[] {
  return commands.flatMap((command, at) => {
    const next = commands[at + 1];
    if (command.after !== "|" || next === undefined || PRINTERS.has(command.words[0] ?? "")) return [];
    return {
      where: `| ${text(next)}`,
      advice: `Only the exit code of \`${text(next)}\` counts, and that of \`${text(command)}\` is lost. Leave out the pipe, since long output is cut anyway, or run it with bash -c 'set -o pipefail; …' (plain sh may not know pipefail).`,
    };
  });
}

function fallbacks(commands: readonly SimpleCommand[]): readonly HiddenExitCode[] {
  return commands.flatMap((command, at) => {
    const failing = commands[at - 1];
    if (command.before !== "||" || failing === undefined || !isAlwaysFine(command)) return [];
    if (fails(commands.slice(at + 1))) return [];
    return {
      where: `|| ${text(command)}`,
      advice: `\`${text(failing)}\` may fail, and the check still passes. Leave out \`|| ${text(command)}\`.`,
    };
  });
}

/** `|| { echo why; exit 1; }` says why and still fails. */
function fails(commands: readonly SimpleCommand[]): boolean {
  return commands.some(({ words: [program, code] }) => {
    if (program === "false") return true;
    return (program === "exit" || program === "return") && code !== undefined && code !== "0";
  });
}

function sequences(commands: readonly SimpleCommand[]): readonly HiddenExitCode[] {
  return commands.flatMap((command, at) => {
    const next = commands[at + 1];
    const [program = ""] = command.words;
    if (command.after !== ";" || next === undefined || next.isCondition || command.isCondition) return [];
    if (program === "" || PREPARES.has(program) || (isAlwaysFine(command) && program !== "exit")) return [];
    // `code=$?` and `exit $?` pass it on.
    if (text(next).includes("$?") || next.words[0] === "wait") return [];
    if (command.before === "|" || next.before !== ";" || fails([next])) return [];
    return {
      where: `; ${text(next)}`,
      advice: `\`${text(command)}\` may fail, and only what follows decides. Join them with && instead of ;.`,
    };
  });
}

/** Options of known tools that turn nothing, or a failure, into a success. */
const LENIENT = new Map([
  ["--if-present", "a missing script passes"],
  ["--passWithNoTests", "no tests at all pass"],
  ["--pass-with-no-tests", "no tests at all pass"],
  ["--exit-zero", "findings do not fail"],
  ["--ignore-errors", "failed recipes do not count"],
]);

function alone(command: SimpleCommand): readonly HiddenExitCode[] {
  const [program = "", ...args] = command.words;
  const found: HiddenExitCode[] = [];
  if (program === "set" && args.includes("+e")) {
    found.push({
      where: "set +e",
      advice: "After `set +e` a failure goes unnoticed. Leave it out, and join commands with &&.",
    });
  }
  if (program === "trap" && /exit 0|true/.test(args[0] ?? "")) {
    found.push({ where: text(command), advice: "This trap replaces the exit code with 0. Leave it out." });
  }
  if (
    PRINTERS.has(program) &&
    command.inner.some((line) => !PRINTERS.has(simpleCommands(line)[0]?.words[0] ?? "echo"))
  ) {
    const inner = command.inner[0] ?? "";
    found.push({
      where: text(command),
      advice: `The exit code of \`${inner.trim()}\` is lost inside \`${program}\`. Run it by itself.`,
    });
  }
  if ((program === "make" || program === "gmake") && args.some((word) => /^-[a-z]*i[a-z]*$/.test(word))) {
    found.push({ where: text(command), advice: "`make -i` ignores failed recipes. Leave out -i." });
  }
  for (const word of args) {
    const effect = LENIENT.get(word);
    if (effect !== undefined)
      found.push({ where: word, advice: `With \`${word}\` ${effect}. Leave it out.` });
  }
  return found;
}

const CONDITIONS = new Set("test [ [[".split(" "));
const SEARCHES = new Set("grep egrep fgrep rg ag ack".split(" "));

function negations(commands: readonly SimpleCommand[]): readonly HiddenExitCode[] {
  return commands.flatMap((command, at) => {
    if (!command.negated || command.isCondition || CONDITIONS.has(command.words[0] ?? "")) return [];
    return negation(command, existingAt(commands.slice(0, at)));
  });
}

/** `test -e src && …`: what a line looked for before it went on. */
function existingAt(before: readonly SimpleCommand[]): ReadonlySet<string> {
  return new Set(
    before.flatMap(({ words: [program = "", option = "", path], negated, after }) =>
      CONDITIONS.has(program) && /^-[edfrs]$/.test(option) && !negated && after === "&&" ? (path ?? []) : [],
    ),
  );
}

function negation(command: SimpleCommand, existing: ReadonlySet<string>): readonly HiddenExitCode[] {
  const where = `! ${text(command)}`;
  const words = command.words[0] === "git" ? command.words.slice(1) : command.words;
  if (!SEARCHES.has(words[0] ?? "")) {
    return [
      {
        where,
        advice: `With \`!\` any failure of \`${text(command)}\` passes, even an unrelated one. Check for what should be there instead.`,
      },
    ];
  }
  const [, ...paths] = words.slice(1).filter((word) => !word.startsWith("-"));
  const mayVanish = paths.filter((path) => !/^\.\/?$/.test(path) && !existing.has(path));
  if (mayVanish.length === 0) return [];
  const first = mayVanish.map((path) => `test -e ${quoted(path)} && `).join("");
  return [
    {
      where,
      advice: `A search in files that are gone fails too, and \`!\` makes that a success. Write \`${first}! ${text(command)}\`.`,
    },
  ];
}

function background(commands: readonly SimpleCommand[]): readonly HiddenExitCode[] {
  return commands.flatMap((command, at) => {
    if (command.after !== "&") return [];
    const rest = commands.slice(at + 1);
    const waits = rest.some(({ words }) => words[0] === "wait" && words.length > 1);
    const decides = rest.some(
      (each) => !isAlwaysFine(each) && each.words[0] !== "wait" && each.after !== "&",
    );
    if (waits || decides) return [];
    return {
      where: `${text(command)} &`,
      advice: `\`${text(command)}\` runs in the background, and nothing reads its exit code. Leave out the &.`,
    };
  });
}

function conditions(line: string, commands: readonly SimpleCommand[]): readonly HiddenExitCode[] {
  const condition = commands.find((each) => each.isCondition);
  if (condition === undefined || !/\bif\b/.test(line) || /\belse\b|\bexit\s+[1-9]/.test(line)) return [];
  return [
    {
      where: `if ${text(condition)}`,
      advice: `Without an else, \`if\` passes when \`${text(condition)}\` fails. Join them with && instead.`,
    },
  ];
}
