import type { CommandLine } from "../../../core/loop/criterion.ts";
import type { Code } from "../survey.ts";
import type { Dialect } from "./dialect.ts";
import { SHELL_TESTS } from "./dialects/shell.ts";
import { BATS_TESTS } from "./dialects/bats.ts";
import { C_TESTS } from "./dialects/c.ts";
import { ELIXIR_TESTS } from "./dialects/elixir.ts";
import { GO_TESTS } from "./dialects/go.ts";
import { JAVA_TESTS } from "./dialects/java.ts";
import { JAVASCRIPT_TESTS } from "./dialects/javascript.ts";
import { PERL_TESTS } from "./dialects/perl.ts";
import { PHP_TESTS } from "./dialects/php.ts";
import { PYTHON_TESTS } from "./dialects/python.ts";
import { RUBY_TESTS } from "./dialects/ruby.ts";
import { RUST_TESTS } from "./dialects/rust.ts";
import { JAVASCRIPT } from "./javascript.ts";
import type { Language, Sentinels } from "./language.ts";
import { PYTHON } from "./python.ts";
import { SHELL } from "./shell.ts";

const LANGUAGES: readonly Language[] = [JAVASCRIPT, PYTHON, SHELL];

const DIALECTS: readonly Dialect[] = [
  JAVASCRIPT_TESTS,
  PYTHON_TESTS,
  GO_TESTS,
  RUST_TESTS,
  RUBY_TESTS,
  PHP_TESTS,
  PERL_TESTS,
  BATS_TESTS,
  SHELL_TESTS,
  ELIXIR_TESTS,
  C_TESTS,
  JAVA_TESTS,
];

/** Whoever skips tests may skip those that were added, or the rest of the file. */
const SKIPS = /skip|assum|pending|\btodo\b/i;

/** A test file with failures in it; null if it isn't known how its tests are written. */
export const injected: Dialect["inject"] = (file, marker, options) => {
  const bad = DIALECTS.find((dialect) => dialect.file.test(file.path))?.inject(file, marker, options) ?? null;
  if (bad === null || !SKIPS.test(file.text)) return bad;
  return { ...bad, isSure: false, endsItself: true };
};

/** How a script is marked, by its name or the interpreter in its first line; null: it isn't known. */
export function languageOf(path: string, text: string): Language | null {
  const interpreter = /^#![^\n]*\b(node|tsx|bun|python|(?:ba|da|z|k|a)?sh)[\d.]*[ \t]*\n/.exec(text)?.[1];
  if (interpreter === undefined) return LANGUAGES.find(({ file }) => file.test(path)) ?? null;
  if (interpreter === "python") return PYTHON;
  return interpreter.endsWith("sh") ? SHELL : JAVASCRIPT;
}

/** The command with its code so that it fails where it ends; null if the code isn't in it, once and as it is. */
export function markedCommand(
  command: CommandLine,
  { interpreter, text }: Code,
  marks: Sentinels,
): CommandLine | null {
  const marked = (interpreter === "python" ? PYTHON : JAVASCRIPT).code?.(text, marks);
  if (marked === undefined) return null;
  if (command.kind === "argv") {
    const [program, ...words] = command.argv;
    return { kind: "argv", argv: [program, ...words.map((word) => (word === text ? marked : word))] };
  }
  const [before = "", after, ...more] = command.line.split(text);
  if (after === undefined || more.length > 0 || !/["']$/.test(before)) return null;
  return { ...command, line: before + marked + after };
}
