import { isSameCommand } from "../../system/text/plain-text.ts";

/** Which commands that a model wrote may run as checks without anybody having read them. */
export interface AllowedChecks {
  /** What the project's own tools run. */
  readonly discovered: readonly string[];
  /** What a person allowed when the work was opened. */
  readonly patterns: readonly string[];
}

/** A discovered check by its very words, or a whole line that a pattern matches. */
export function isAllowedCheck(command: string, { discovered, patterns }: AllowedChecks): boolean {
  if (/[\r\n\0]/.test(command)) return false;
  return (
    discovered.some((each) => isSameCommand(each, command)) ||
    patterns.some((pattern) => matches(pattern, command))
  );
}

/**
 * Letters, digits, blanks and what names of files and options are made of: nothing that means something to a shell, and no `%`,
 * with which a URL could spell out a program.
 */
const PLAIN = /^[\p{L}\p{N} _./:@=,+^~-]*$/u;

/** `*` stands for any plain text; all else stands for itself. In one go, since both texts may be long and a stranger's. */
function matches(pattern: string, command: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  const last = parts.pop();
  if (!isCheckPattern(pattern)) return false;
  if (last === undefined) return command === first;
  if (!command.startsWith(first) || !command.endsWith(last)) return false;
  let at = first.length;
  const end = command.length - last.length;
  const gaps: string[] = [];
  for (const part of parts) {
    const found = command.indexOf(part, at);
    if (found === -1) return false;
    gaps.push(command.slice(at, found));
    at = found + part.length;
  }
  gaps.push(command.slice(at, end));
  return at <= end && gaps.every((gap) => PLAIN.test(gap));
}

/** A pattern names its program: otherwise it would allow any. */
export function isCheckPattern(pattern: string): boolean {
  return /^[^\s*]+(?: |$)/.test(pattern) && !/[\r\n\0]/.test(pattern);
}
