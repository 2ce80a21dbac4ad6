import { JAVASCRIPT_END } from "./javascript-end.ts";
import type { CommandLine } from "../../../core/loop/criterion.ts";
import type { Code } from "../survey.ts";
import type { Language, Marks } from "./marks.ts";
import { PYTHON_END } from "./python-end.ts";
import { SHELL_END } from "./shell-end.ts";

const LANGUAGES: readonly Language[] = [JAVASCRIPT_END, PYTHON_END, SHELL_END];

/** How a script is marked, by its name or the interpreter in its first line; null: it isn't known. */
export function languageOf(path: string, text: string): Language | null {
  const interpreter = /^#![^\n]*\b(node|tsx|bun|python|(?:ba|da|z|k|a)?sh)[\d.]*[ \t]*\n/.exec(text)?.[1];
  if (interpreter === undefined) return LANGUAGES.find(({ file }) => file.test(path)) ?? null;
  if (interpreter === "python") return PYTHON_END;
  return interpreter.endsWith("sh") ? SHELL_END : JAVASCRIPT_END;
}

/** The command with its code so that it fails where it ends; null if the code isn't in it, once and as it is. */
export function markedCommand(
  command: CommandLine,
  { interpreter, text }: Code,
  marks: Marks,
): CommandLine | null {
  const marked = (interpreter === "python" ? PYTHON_END : JAVASCRIPT_END).code?.(text, marks);
  if (marked === undefined) return null;
  if (command.kind === "argv") {
    const [program, ...words] = command.argv;
    return { kind: "argv", argv: [program, ...words.map((word) => (word === text ? marked : word))] };
  }
  const [before = "", after, ...more] = command.line.split(text);
  if (after === undefined || more.length > 0 || !/["']$/.test(before)) return null;
  return { ...command, line: before + marked + after };
}
