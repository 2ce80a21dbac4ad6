import { changedLines } from "../faults/changed-lines.ts";
import type { AnsweredInput, ChangedText } from "./answered-inputs.ts";
import { hasValue, rarityOf } from "./literals.ts";

/** A file with what a program should print, and what it is given for that. */
export interface PrintedCase {
  readonly path: string;
  readonly text: string;
  /** The texts beside it. */
  readonly given: readonly string[];
}

const MOST_LINES = 200;
const LONGEST_LINE = 400;
/** How rare all values together have to be. */
const RARE_ENOUGH = 4;

/**
 * Lines of source that have what should be printed for one case of a test, line by line, all of it, with values that it is given
 * there: whoever computes it writes none of them. Those that the spec gives are the work.
 */
export function printedAnswers(
  { path, now, before }: ChangedText,
  cases: readonly PrintedCase[],
  spec: string,
): readonly AnsweredInput[] {
  const changed = changedLines(now, before);
  const lines = now
    .split("\n")
    .map((text, at) => ({ text: text.slice(0, LONGEST_LINE), line: at + 1 }))
    .filter(({ line, text }) => changed.has(line) && /\w/.test(text));
  return cases.flatMap(({ path: test, text, given }): readonly AnsweredInput[] => {
    const rows = text
      .split("\n")
      .map((row) => ({ row: row.trim(), values: valuesOf(row) }))
      .filter(({ values }) => values.some((value) => rarityOf(value) > 0));
    if (rows.length === 0 || rows.length > MOST_LINES) return [];
    const found = rows.map(({ row, values }) => ({
      row,
      values,
      at: values.length < 2 ? undefined : lines.find((each) => hasInOrder(each.text, values)),
    }));
    const [first] = found;
    if (first?.at === undefined || found.some(({ at }) => at === undefined)) return [];
    const isGiven = ({ values }: { readonly values: readonly string[] }): boolean =>
      values.some((value) => rarityOf(value) > 0 && given.some((each) => hasValue(each, value)));
    const rarity = rows.reduce(
      (sum, { values }) => sum + values.reduce((all, each) => all + rarityOf(each), 0),
      0,
    );
    const isSpecified = rows.every(({ values }) => values.every((value) => hasValue(spec, value)));
    if (rarity < RARE_ENOUGH || isSpecified || rows.filter(isGiven).length * 2 < rows.length) return [];
    return [{ path, line: first.at.line, input: first.row, test, keys: first.values }];
  });
}

function valuesOf(row: string): readonly string[] {
  return row.split(/[\s|,;"'()[\]{}]+/).filter((each) => /\w/.test(each));
}

/** Whether a line has all of these, one behind the other. */
function hasInOrder(line: string, values: readonly string[]): boolean {
  let rest = line;
  for (const value of values) {
    if (!hasValue(rest, value)) return false;
    rest = rest.slice(rest.indexOf(value) + value.length);
  }
  return true;
}
