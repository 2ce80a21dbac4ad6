import { isComparer, type SimpleCommand } from "./simple-commands.ts";

/**
 * `got=$(./wc.sh)`, `case "$(./wc.sh)" in`, `assert_equal "$(./wc.sh)" 3`: whether what comes out of the commands within this one's
 * words is looked at by something else. Then they don't judge with their own exit code, which is lost.
 */
export function isOutputCompared(commands: readonly SimpleCommand[], at: number): boolean {
  const command = commands[at];
  if (command === undefined || command.inner.length === 0) return false;
  const functions = functionsOf(commands);
  if (looksAtWords(command, functions)) return true;
  if (isExitCodeUsed(command, commands[at + 1])) return false;
  const names = capturedBy(command);
  return names.length > 0 && usersOf(names, commands).some((each) => looksAtWords(each, functions));
}

/** What an own or an unknown function that tests something is called. */
const ASSERTS = /assert|expect|should|compare|equal|(?:^|_)(?:eq|is|ok|same|check|test)(?:$|_)/i;

/** A program that decides something by what it is told. */
function looksAtWords(command: SimpleCommand, functions: ReadonlySet<string>): boolean {
  const [program = ""] = command.words;
  return (
    isComparer(command) ||
    program === "case" ||
    functions.has(program) ||
    (/^\w+$/.exec(program) !== null && ASSERTS.test(program))
  );
}

/** `assert() {`: the functions that a script defines. */
function functionsOf(commands: readonly SimpleCommand[]): ReadonlySet<string> {
  return new Set(
    commands.flatMap(({ words: [first = "", second], after }) => {
      if (first === "function") return second ?? [];
      return after === "(" && second === undefined ? first : [];
    }),
  );
}

function isExitCodeUsed({ after, isCondition }: SimpleCommand, next: SimpleCommand | undefined): boolean {
  return isCondition || after === "||" || after === "&&" || next?.words.includes("$?") === true;
}

const DECLARES = new Set("local declare typeset readonly export".split(" "));
const CAPTURES = /\$\(|`/;

/** The variables that get what comes out. */
function capturedBy({ words, assignments }: SimpleCommand): readonly string[] {
  if (words.length === 0) return assignments.flatMap(([name, value]) => (CAPTURES.test(value) ? name : []));
  if (!DECLARES.has(words[0] ?? "")) return [];
  return words.flatMap((word) => (CAPTURES.test(word) ? (/^(\w+)=/.exec(word)?.[1] ?? []) : []));
}

const MOST_NAMES = 50;

/** The commands that are told what is in these variables, or in others that are made from them. */
function usersOf(captured: readonly string[], commands: readonly SimpleCommand[]): readonly SimpleCommand[] {
  const names = [...captured];
  const users = new Set<SimpleCommand>();
  for (let at = 0; at < Math.min(names.length, MOST_NAMES); at += 1) {
    const uses = new RegExp(String.raw`\$\{?${names[at]}\b`);
    for (const command of commands) {
      if (command.words.some((word) => uses.test(word))) users.add(command);
      for (const [name, value] of command.assignments)
        if (uses.test(value) && !names.includes(name)) names.push(name);
    }
  }
  return [...users];
}
