import { isSameCommand } from "../text/same-command.ts";

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

/** Letters, digits, blanks and what names of files and options are made of: nothing that means something to a shell. */
const PLAIN = String.raw`[\p{L}\p{N} _./:@=,+%^~-]*`;

/** `*` stands for any plain text; all else stands for itself. */
function matches(pattern: string, command: string): boolean {
  if (!isCheckPattern(pattern)) return false;
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(PLAIN)}$`, "u").test(command);
}

/** A pattern names its program: otherwise it would allow any. Several stars would take long to compare. */
export function isCheckPattern(pattern: string): boolean {
  return /^[^\s*]+(?: |$)/.test(pattern) && !/[\r\n\0]/.test(pattern) && pattern.split("*").length <= 5;
}
