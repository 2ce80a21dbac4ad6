import type { CommandLine } from "../../core/loop/criterion.ts";
import { simpleCommands } from "./shell/simple-commands.ts";

const ABOUT_TESTS = /(?:^|[^a-z])(?:tests?|specs?|check|verify|t)(?:[^a-z]|$)/i;
/** The shell's own conditions: named like tests, but about anything. */
const CONDITIONS: ReadonlySet<string> = new Set(["test", "[", "[["]);
/** The innermost ones: a search for the end of each would take forever in a line of nothing but beginnings. */
const SUBSTITUTION = /\$\([^()]*\)|`[^`]*`/g;
const DEEPEST = 6;

/** Whether a command mentions tests, in its words or in a nested line. */
export function speaksOfTests(command: CommandLine): boolean {
  return command.kind === "shell" ? lineSpeaks(command.line, 0) : wordsSpeak(command.argv, 0);
}

function lineSpeaks(line: string, depth: number): boolean {
  if (depth > DEEPEST) return false;
  return simpleCommands(line).some(
    ({ words, assignments, inner }) =>
      inner.some((each) => lineSpeaks(each, depth + 1)) ||
      wordsSpeak(words, depth) ||
      assignments.some(([, value]) => ABOUT_TESTS.test(value.replaceAll(SUBSTITUTION, " "))),
  );
}

function wordsSpeak(words: readonly string[], depth: number): boolean {
  if (CONDITIONS.has(words[0] ?? "")) return false;
  return words.some((word) => {
    const plain = word.replaceAll(SUBSTITUTION, " ").trim();
    return /\s/.test(plain) ? lineSpeaks(plain, depth + 1) : ABOUT_TESTS.test(plain);
  });
}
