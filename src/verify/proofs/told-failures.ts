import { isNoise, isSummary } from "../../core/output/line-kinds.ts";
import { showsValue } from "../answers/literals.ts";

/** What an output tells of failures that show what was expected. */
export interface ToldFailures {
  /** Without what is given to a call: the same ones as long as the results are. */
  readonly lines: ReadonlySet<string>;
  /** Whether another output tells all of it, too. */
  readonly isIn: (output: string) => boolean;
}

const AROUND = 6;
const LONGEST_LINE = 2_000;

// oxlint-disable-next-line no-control-regex -- terminal colours are exactly what is removed here
const PAINT = /\u001b\[[0-9;?]{0,32}[ -/]{0,4}[@-~]/g;
const FRAME = /^\s*(?:at\s|File "|from \S+:\d+)|^\S+:\d+(?::\d+)?:?(?:in .*)?$|\(\S+:\d+:\d+\)$/;
const TOOK = /\s*[([]?\b\d+(?:\.\d+)?\s?(?:ms|s|µs|sec|seconds)\b[)\]]?\s*$/;
const HEADING = /^\s*(?:✖|×|✘|●|not ok|FAIL|---|\d+\))/;
/** What a run took, how many tests there were, and how each of them ended. */
const OF_RUN =
  /\bwallclock\b|^ok\s+\S+\s+(?:[\d.]+m?s|\(cached\))|^(?:Time|Finished in|Ran \d+|Duration|Run options|Dubious|Non-zero exit|Failed|# Looks like|Result:|FAILURES|make:)|\b(?:elapsed|seed)\b|^[.FESIRWsx*]+(?: +\d+ ?\/ ?\d+(?: \(\d+%\))?)?$/i;
const NUMBERED = /^\d+\) +/;
const ADDRESS = /\bat 0x[\da-f]+|@[\da-f]{6,}|\b(?:pid|thread) ?'?\w*'? ?\(?\d+\)?/gi;
/** What a runner says of the call, not of its result. */
const QUOTED = /^E? *\+ {2}where /;

/** null: no failure shows one of the expected values. `quoted`: lines of the test that a runner may print, which show nothing. */
export function failuresAbout(
  output: string,
  expected: readonly string[],
  quoted: readonly string[],
): ToldFailures | null {
  const lines = telling(output, quoted);
  const near = new Set<string>();
  for (const [index, line] of lines.entries()) {
    if (!expected.some((content) => showsValue(line, content))) continue;
    for (const each of lines.slice(Math.max(0, index - AROUND), index + AROUND + 1)) near.add(each);
  }
  if (near.size === 0) return null;
  const isIn = (other: string): boolean => {
    const all = new Set(telling(other, quoted));
    return [...near].every((line) => all.has(line));
  };
  return { lines: new Set([...near].map(withoutArguments)), isIn };
}

/** Whether an output shows two values beside each other. */
export function showsBoth(output: string, one: string, other: string, quoted: readonly string[]): boolean {
  const lines = telling(output, quoted);
  return lines.some((line, index) => {
    if (!showsValue(line, other)) return false;
    const near = lines.slice(Math.max(0, index - AROUND), index + AROUND + 1);
    return near.some((each) => showsValue(each, one));
  });
}

function telling(output: string, quoted: readonly string[]): readonly string[] {
  return withoutPaint(output)
    .split(/\r\n|\n|\r/)
    .map((line) => line.slice(0, LONGEST_LINE).trim())
    .filter(
      (line) =>
        line !== "" &&
        !isNoise(line) &&
        !isSummary(line) &&
        !FRAME.test(line) &&
        !QUOTED.test(line) &&
        !OF_RUN.test(line) &&
        !quoted.some((each) => each !== "" && line.includes(each)),
    )
    .map((line) =>
      (HEADING.test(line) ? line.replace(TOOK, "") : line).replace(ADDRESS, "").replace(NUMBERED, ""),
    );
}

function withoutArguments(line: string): string {
  return line.replaceAll(/(?<=\w)\([^()]*\)/g, "()");
}

export function withoutPaint(output: string): string {
  return output.replace(PAINT, "");
}
