import type { CommandLine } from "../../../core/loop/criterion.ts";
import type { Code } from "../survey.ts";
import { JAVASCRIPT } from "./javascript.ts";
import type { Language, Sentinels } from "./language.ts";
import { PYTHON } from "./python.ts";
import { SHELL } from "./shell.ts";

const LANGUAGES: readonly Language[] = [JAVASCRIPT, PYTHON, SHELL];

/** A test file with tests at its end that fail, and one that cannot be loaded. */
export interface Injected {
  readonly failing: string;
  readonly broken: string;
}

/**
 * `runner`: as its report names it. `name`: letters and digits that nobody can expect, so that no source can look for them. null
 * if it isn't known how such a file is written.
 */
export function injected(
  { path, text, runner }: { readonly path: string; readonly text: string; readonly runner: string },
  name: string,
): Injected | null {
  const language = LANGUAGES.find(({ file }) => file.test(path));
  const failing = language?.failingTests[runner]?.(text, name) ?? [];
  if (language?.broken == null || failing.length === 0) return null;
  return { failing: `${text}\n\n\n${failing.join("\n")}\n`, broken: `${language.broken(name)}\n${text}` };
}

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
