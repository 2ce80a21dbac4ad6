import { failingIn, failingText } from "../output/failing-line.ts";
import { isNoise, isSummary } from "../output/line-kinds.ts";

const INTERESTING =
  /\b(\w*(error|exception)|fail(ed|ure|s)?|panic(ked)?|assert\w*|expected|not ok|cannot|undefined|E\d{3,}|TS\d{4})\b/i;
const SCANNED_LINES = 400;

// oxlint-disable-next-line no-control-regex -- terminal colours are exactly what is removed here
const COLOURS = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;

/** Parts that differ between two runs of one failure. Order matters: the specific forms come first. */
const VOLATILE: readonly (readonly [pattern: RegExp, stand_in: string])[] = [
  [COLOURS, ""],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?/g, "TIME"],
  [/\b\d\d:\d\d:\d\d(\.\d+)?\b/g, "TIME"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "ID"],
  [/\b0x[0-9a-f]+\b/gi, "ADDRESS"],
  [/\b[0-9a-f]{12,64}\b/gi, "HASH"],
  [/(?:\/tmp|\/var\/folders|\/private\/tmp|[A-Z]:\\[^\s:]*\\Temp)[^\s:'")]*/g, "TMP"],
  [/\b\d+(\.\d+)?\s?(ms|µs|us|ns|s|sec|secs|seconds?|minutes?|m)\b/gi, "DURATION"],
  [/\b(localhost|127\.0\.0\.1|\[::1\]):\d+/g, "HOST"],
  [/\b(pid|process|port|seed)[ =:#]*\d+/gi, "$1 N"],
];

/**
 * What failed and where, so the same failure in two runs reads the same. Other failures are part of it: with one of nine
 * failures fixed, the signature changes.
 */
export function errorSignature(name: string, output: string): string {
  const { message, others, count } = failuresIn(output);
  const rest = others.length === 0 ? "" : `${andMore(count)} [${digestOf(others)}]`;
  return told(name, withoutVolatileParts(message), rest);
}

/** An error for people: with the paths and numbers that were printed. */
export function errorText(name: string, output: string): string {
  const { message, count } = failuresIn(output);
  return told(name, message, andMore(count));
}

function told(name: string, message: string, rest: string): string {
  return `${`${name}: ${message}`.slice(0, 300 - rest.length)}${rest}`;
}

function andMore(count: number): string {
  return count === 0 ? "" : ` and ${count} more`;
}

interface Failures {
  /** The first one, in a line. */
  readonly message: string;
  /** The other lines that tell of a failure, each once, without what differs between two runs. */
  readonly others: readonly string[];
  /** How many of them tell something new: no numbers of tests, no code. */
  readonly count: number;
}

function failuresIn(output: string): Failures {
  const failing = failingIn(output) ?? { test: null, message: lastLine(output), place: null };
  const lines = output
    .split("\n")
    .slice(-SCANNED_LINES)
    .map(withoutVolatileParts)
    .filter((line) => INTERESTING.test(line));
  const message = failingText(failing);
  const first = withoutVolatileParts(message);
  const core = withoutVolatileParts(failing.message);
  const others = [...new Set(lines)].filter((line) => !first.includes(line) && !line.includes(core)).sort();
  return { message, others, count: others.filter((line) => !isNoise(line) && !isSummary(line)).length };
}

function lastLine(output: string): string {
  const lines = output.split("\n").map((line) => line.slice(0, 500).replace(COLOURS, "").trim());
  return lines.findLast((line) => line !== "") ?? "no output";
}

/** A signature as people read it. */
export function withoutDigest(signature: string): string {
  return signature.replace(/( and \d+ more)? \[\w+\]$/, "$1");
}

/** FNV-1a: tells two lists of lines apart, nothing more. */
function digestOf(lines: readonly string[]): string {
  let hash = 0x811c9dc5;
  for (const character of lines.join("\n")) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash.toString(36);
}

function withoutVolatileParts(line: string): string {
  let text = line.slice(0, 500);
  for (const [pattern, standIn] of VOLATILE) text = text.replace(pattern, standIn);
  return text.replace(/\s+/g, " ").trim();
}
