import { UserError } from "../../core/user-error.ts";

/** The value of `-c`: a name with a command, a command alone, or words that may be either a command or a statement. */
export type CriterionText =
  | { readonly kind: "named"; readonly name: string; readonly line: string }
  | { readonly kind: "command"; readonly line: string }
  | { readonly kind: "words"; readonly text: string };

/**
 * `NAME=COMMAND`, split at the first `=`. The exception is what a shell reads as a variable before a command, such as
 * `CI=1 npm test`: that is a command as a whole.
 */
export function readCriterionText(text: string, isProgram: (word: string) => boolean): CriterionText {
  const whole = text.trim();
  const split = whole.indexOf("=");
  if (split === -1) return { kind: "words", text: whole };
  const name = whole.slice(0, split);
  const rest = whole.slice(split + 1);
  if (isVariable(name) && readsAsValueAndCommand(rest, isProgram)) return { kind: "command", line: whole };
  const line = rest.trim();
  if (line === "")
    throw new UserError(
      `The criterion "${text.slice(0, 60)}" has an empty command; write NAME=COMMAND, or NAME alone.`,
    );
  return { kind: "named", name: name.trim(), line };
}

function isVariable(name: string): boolean {
  return /^[A-Z_][A-Z0-9_]*$/.test(name);
}

const WORDS = /^("[^"]*"|'[^']*'|[^\s"';&|<>()]+)\s+(\S+)/;
/** Values that aren't a program, or that nobody would run with a program as the first word. */
const LITERAL = /^(?:["'$].*|[\d.,:-]+|.*:\/\/.*|true|false|yes|no|on|off|test)$/;

/**
 * `1 npm test` after `CI=` does, `npm test` after `TESTS=` doesn't: the first word decides, then whether a program follows.
 */
function readsAsValueAndCommand(rest: string, isProgram: (word: string) => boolean): boolean {
  const [, value, next] = WORDS.exec(rest) ?? [];
  if (value === undefined || next === undefined || /^[-;&|<>()]/.test(next)) return false;
  const [variable] = next.split("=", 1);
  if (next.includes("=") && isVariable(variable ?? "")) return true;
  if (/^\d+$/.test(value)) return true;
  if (LITERAL.test(value)) return isProgram(next);
  // `test` is a program, but also a word that often follows others.
  return !isProgram(value) && next !== "test" && isProgram(next);
}
