const INTERESTING =
  /\b(\w*(error|exception)|fail(ed|ure|s)?|panic(ked)?|assert\w*|expected|not ok|cannot|undefined|E\d{3,}|TS\d{4})\b/i;
const PLACE = /[\w./-]+\.\w{1,5}:\d+|at line \d+|File "[^"]+", line \d+/i;
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

/** The line of an output that says most about the failure, unchanged; null if there is none. */
export function tellingLine(output: string): string | null {
  const lines = output
    .split("\n")
    .slice(-SCANNED_LINES)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.find((line) => INTERESTING.test(line.slice(0, 500))) ?? lines.at(-1) ?? null;
}

/**
 * What failed and where, so the same failure in two runs reads the same. Other failures are part of it: with one of nine
 * failures fixed, the signature changes.
 */
export function errorSignature(name: string, output: string): string {
  const { message, place, others } = failureIn(output);
  const rest = others.length === 0 ? "" : ` and ${others.length} more [${digestOf(others)}]`;
  return told(name, message.plain, place, rest);
}

/** The same for people: with the paths and numbers that were printed. */
export function errorText(name: string, output: string): string {
  const { message, place, others } = failureIn(output);
  return told(name, message.printed, place, others.length === 0 ? "" : ` and ${others.length} more`);
}

function told(name: string, message: string, place: string | null, rest: string): string {
  const whole = place === null || message.includes(place) ? message : `${message} (${place})`;
  return `${`${name}: ${whole}`.slice(0, 300 - rest.length)}${rest}`;
}

interface Line {
  readonly printed: string;
  /** Without what differs between two runs of one failure. */
  readonly plain: string;
}

interface Failed {
  readonly message: Line;
  readonly place: string | null;
  /** The other lines that tell of a failure, each once, in order. */
  readonly others: readonly string[];
}

function failureIn(output: string): Failed {
  const lines = output
    .split("\n")
    .slice(-SCANNED_LINES)
    .map((line): Line => ({ printed: withoutColours(line), plain: withoutVolatileParts(line) }))
    .filter(({ plain }) => plain !== "");
  const message = lines.find(({ plain }) => INTERESTING.test(plain)) ?? lines.at(-1) ?? NO_OUTPUT;
  const place = lines.find(({ plain }) => PLACE.test(plain))?.plain.match(PLACE)?.[0] ?? null;
  const others = lines
    .map(({ plain }) => plain)
    .filter((each) => each !== message.plain && INTERESTING.test(each));
  return { message, place, others: [...new Set(others)].sort() };
}

const NO_OUTPUT: Line = { printed: "no output", plain: "no output" };

/** A signature as people read it. */
export function withoutDigest(signature: string): string {
  return signature.replace(/( and \d+ more) \[\w+\]$/, "$1");
}

/** FNV-1a: tells two lists of lines apart, nothing more. */
function digestOf(lines: readonly string[]): string {
  let hash = 0x811c9dc5;
  for (const character of lines.join("\n")) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash.toString(36);
}

function withoutColours(line: string): string {
  return line.slice(0, 500).replace(COLOURS, "").replace(/\s+/g, " ").trim();
}

function withoutVolatileParts(line: string): string {
  let text = line.slice(0, 500);
  for (const [pattern, standIn] of VOLATILE) text = text.replace(pattern, standIn);
  return text.replace(/\s+/g, " ").trim();
}
