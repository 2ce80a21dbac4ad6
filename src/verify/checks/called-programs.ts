import { callsNothing, simpleCommands } from "../definitions/shell/simple-commands.ts";

/** What a shell does itself. */
const BUILTINS = new Set(
  "cd echo test [ exit true false set export : printf pwd . source eval unset umask wait trap ulimit shift read return time exec command".split(
    " ",
  ),
);

/** These start what comes after their own options and variables. */
const LAUNCHERS = new Set(["env", "cross-env", "time", "exec", "command", "nice", "nohup"]);

/** A plain name or path; with anything else in it, only a shell could say what it calls. */
const PLAIN = /^[\w@+./-]+$/;

type Call = readonly [program: string, ...words: string[]];

/** The programs, each with its words, that a line calls for certain. */
export function calledPrograms(line: string): readonly Call[] {
  return simpleCommands(line).flatMap((command) => (callsNothing(command) ? [] : callsOf(command.words)));
}

function callsOf([program, ...words]: readonly string[]): readonly Call[] {
  if (program === undefined || !PLAIN.test(program)) return [];
  const call: readonly Call[] = BUILTINS.has(program) ? [] : [[program, ...words]];
  if (!LAUNCHERS.has(program)) return call;
  const start = words.findIndex((word) => !word.startsWith("-") && !/^\w+=/.test(word));
  return start === -1 ? call : [...call, ...callsOf(words.slice(start))];
}

/** Whether a line mends what it finds, which a check must not. */
export function mendsFiles(line: string): boolean {
  return /(?:^|\s)--(?:fix|write)(?![\w-])/.test(line);
}
