/** How harnesses say that something failed; how many did says it of a whole run. */
const SAYS_FAILURE =
  /^\W{0,6}(?:not ok\b|FAIL(?:ED|URE)?\b|fail(?:ed|ure)?\b|BAD\b|✗|✘|✖|×)|\b(?:got|actual|was|is|but|found|received)\b.*\b(?:want(?:ed)?|expect(?:ed)?|should)\b|\b(?:want(?:ed)?|expect(?:ed)?|should)\b.*\b(?:got|actual|was|is|but|found|received)\b/i;
const COUNTS =
  /\b\d+\s+(?:\w+\s+){0,2}(?:fail|error|bad)|\b(?:fail\w*|errors?|bad)\s*[:=]?\s*\d+\s*[,;.)]?\s*$/i;
/** How programs speak of what they are given. */
const OF_PROGRAM = /^(?:[\w./-]+:\s*)?(?:error|warning|fatal|usage)\b:/i;
/** Where something else went wrong than a comparison. */
const BREAKS =
  /error|exception|cannot|can't|no such|undefined|traceback|panic|not found|unexpected|invalid|missing|abort|segmentation|killed/i;
/** Who started it tells how it ended, and compilers tell more of one file than of another. */
const OF_ENDING =
  /^\s*(?:\w*make\b|npm\b|exit status|error: (?:script|Recipe))|\bwarning:|\bnote:|^\s*\d*\s*\|/;
const TIME = /\b\d+(?:\.\d+)?\s?(?:ms|s|µs|us|ns|sec(?:onds)?)\b/g;

/** The lines of an output that say of one thing that it failed. */
export function failureLines(output: string): readonly string[] {
  return linesOf(output).filter(
    (line) => SAYS_FAILURE.test(line) && !COUNTS.test(line) && !OF_PROGRAM.test(line),
  );
}

/**
 * A line of failure that a check printed where it failed, and still prints where it passes, as all others of those; null: one of
 * them is gone, or something else was the matter.
 */
export function keptFailure(then: string, now: string): string | null {
  const still = new Set(linesOf(now));
  const told = failureLines(then);
  const [first] = told;
  if (first === undefined || !told.every((line) => still.has(line))) return null;
  const lost = linesOf(then).filter(
    (line) => !still.has(line) && !OF_ENDING.test(line) && !COUNTS.test(line),
  );
  return lost.some((line) => BREAKS.test(line)) ? null : first;
}

/** A line of failure that one output has, and the other hasn't. */
export function newFailure(output: string, other: string): string | null {
  const known = new Set(linesOf(other));
  return failureLines(output).find((line) => !known.has(line)) ?? null;
}

function linesOf(output: string): readonly string[] {
  return output
    .split("\n")
    .map((line) => line.trim().replaceAll(TIME, "#"))
    .filter((line) => line !== "");
}
