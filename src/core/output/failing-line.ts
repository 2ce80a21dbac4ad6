import { inForms, inner, whole, type Failing } from "./failure-block.ts";
import { FAILURE_FORMS, LAST_FORMS } from "./failure-forms.ts";
import { isNoise, isSummary, placesIn } from "./line-kinds.ts";

/** The line that tells people what failed in an output; null if nothing in it does. */
export function failingLine(output: string): string | null {
  const failing = failingIn(output);
  return failing === null ? null : failingText(failing);
}

/** The failing test, the assertion or error, and its place, in one line. */
export function failingText({ test, message, place }: Failing): string {
  const named = test === null || message.includes(test) ? message : `${test}: ${message}`;
  const whole = place === null || named.includes(place) ? named : `${named} (${place})`;
  return whole.replace(/\s+/g, " ").replaceAll(IN_WORKTREE, "");
}

/** A worktree of ours has a long path, and what lies in it is named as the project names it. */
const IN_WORKTREE = /(?:file:\/\/)?\/[^\s()'"]*\/worktrees\/[0-9a-f]{16}\/[^/\s]+\/[\w-]+\//g;

/** The first failure in an output: as its runner writes one, or else the first error with a place. */
export function failingIn(output: string): Failing | null {
  const lines = linesOf(output);
  return (
    inForms(FAILURE_FORMS, lines) ??
    anyError(lines) ??
    inForms(LAST_FORMS, lines) ??
    anyDifference(lines) ??
    anything(lines)
  );
}

const HUNK = /^(?:\d+(?:,\d+)?[acd]\d+(?:,\d+)?|@@ .*@@.*)$/;

/** The first lines that `diff` prints: `< tea 1000, > tea 900`. */
function anyDifference(lines: readonly string[]): Failing | null {
  const at = lines.findIndex((line) => HUNK.test(line));
  if (at === -1) return null;
  const hunk = lines.slice(at + 1, at + 60);
  const first = (sign: RegExp): readonly string[] => hunk.filter((line) => sign.test(line)).slice(0, 1);
  const differing = [...first(/^(?:<|-(?!--))/), ...first(/^(?:>|\+)/)];
  const [, file] = /^\+\+\+ ([^\t]+)/.exec(lines[at - 1] ?? "") ?? [];
  if (differing.length === 0) return null;
  return { test: file ?? null, message: differing.join(", "), place: null };
}

const ERROR =
  /(?:^|[\s(])(?:[\w.$]*(?:Error|Exception)(?: ?\[[^\]]*\])?|panic|fatal(?: error)?|(?:error|ERROR)(?:\[\w+\]| \w+)?): *\S|\bsyntax error\b|\bundefined reference\b/;
const ASSERTION = /\b[Aa]ssert\w* .*\bfailed\b|\bassert(?:ion)? failed\b/i;

/** The first error in any text: one with its place in the same line, or one with a place below it. */
function anyError(lines: readonly string[]): Failing | null {
  const worth = lines.map((line) => line !== "" && !isNoise(line) && !isSummary(line));
  const telling = (line: string, index: number): boolean =>
    worth[index] === true && (ERROR.test(line) || ASSERTION.test(line)) && !/\bwarn(?:ing)?\b/i.test(line);
  const placed = lines.findIndex((line, index) => telling(line, index) && placesIn(line).length > 0);
  const first = lines.findIndex(telling);
  const compiled = lines.findIndex(
    (line, index) => worth[index] === true && /^\S+\.\w+:\d+(?::\d+)?: (?!warning|note)\S/.test(line),
  );
  const found = [first, placed, compiled].filter((index) => index !== -1);
  if (found.length === 0) return null;
  const at = Math.min(...found);
  const below = lines.slice(at + 1, at + 12);
  const near =
    [lines[at] ?? "", ...below].flatMap(placesIn)[0] ??
    lines
      .slice(Math.max(0, at - 6), at)
      .flatMap(placesIn)
      .at(-1);
  return { test: null, message: whole(inner(lines[at] ?? ""), below), place: near ?? null };
}

const INTERESTING =
  /\b(\w*(error|exception)|fail(ed|ure|s)?|panic(ked)?|assert\w*|expected|not ok|cannot|undefined|E\d{3,}|TS\d{4})\b/i;
const SOME_FAILED = /\b[1-9]\d* (?:\w+ )?(?:fail\w*|errors?)\b|\bfail\w*[:=] *[1-9]|^\W*fail\w* +[1-9]/i;

/** A line that sounds like a failure, or numbers of failures. The last words of a script may say it, too, but not those of a report. */
function anything(lines: readonly string[]): Failing | null {
  const worth = lines.filter((line) => line.trim() !== "" && !isNoise(line));
  const line =
    worth.find((each) => INTERESTING.test(each) && !isSummary(each)) ??
    oneFailed(worth) ??
    worth.find((each) => SOME_FAILED.test(each)) ??
    (lines.some(isSummary) ? undefined : worth.at(-1));
  if (line === undefined) return null;
  return { test: null, message: line.trim(), place: lines.flatMap(placesIn)[0] ?? null };
}

const ONE_FAILED = /^\W*FAIL(?:ED|URE)?:?\s+(?!\d+\b)\S/;
const MOST_BELOW = 2;

/** `FAIL sum`, which may be a summary elsewhere, with what stands indented below it. */
function oneFailed(lines: readonly string[]): string | undefined {
  const at = lines.findIndex((line) => ONE_FAILED.test(line));
  const first = lines[at];
  if (first === undefined) return undefined;
  const below = lines.slice(at + 1, at + 1 + MOST_BELOW);
  const end = below.findIndex((line) => !/^\s/.test(line));
  const told = below.slice(0, end === -1 ? MOST_BELOW : end).map((line) => line.trim());
  return told.length === 0 ? first : `${first}: ${told.join(", ")}`;
}

const SCANNED_LINES = 2_000;
const LONGEST_LINE = 500;

// oxlint-disable-next-line no-control-regex -- terminal colours are exactly what is removed here
const PAINT = /\u001b\[[0-9;?]{0,32}[ -/]{0,4}[@-~]/g;

/** The last lines of an output, without colours. */
function linesOf(output: string): readonly string[] {
  return output
    .replace(PAINT, "")
    .split(/\r\n|\n|\r/)
    .slice(-SCANNED_LINES)
    .flatMap(expanded)
    .map((line) => line.slice(0, LONGEST_LINE).trimEnd());
}

/** Lines that are data say in it what was printed. */
function expanded(line: string): readonly string[] {
  if (line.includes("<testcase")) return line.split(/(?<=>)(?=<)/);
  if (!line.startsWith("{") || !line.endsWith("}")) return [line];
  try {
    const { Output, examples, messages } = JSON.parse(line) as {
      readonly Output?: unknown;
      readonly examples?: readonly RspecExample[];
      readonly messages?: readonly unknown[];
    };
    if (typeof Output === "string") return [Output];
    if (!Array.isArray(examples)) return [line];
    const said = (messages ?? []).flatMap((message) => String(message).split("\n"));
    return ["Failures:", ...examples.flatMap(asText), "Finished in JSON", ...said];
  } catch {
    return [line];
  }
}

interface RspecExample {
  readonly full_description?: unknown;
  readonly file_path?: unknown;
  readonly line_number?: unknown;
  readonly exception?: { readonly message?: unknown };
}

function asText({ full_description, exception, file_path, line_number }: RspecExample): readonly string[] {
  if (typeof exception?.message !== "string") return [];
  const place = `# ${String(file_path)}:${String(line_number)}:in spec`;
  return [`  1) ${String(full_description)}`, ...exception.message.split("\n"), place];
}
