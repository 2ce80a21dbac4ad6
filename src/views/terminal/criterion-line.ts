import type { CriterionStatus } from "../../core/criterion.ts";
import { displayWidth, fitted, padded } from "../../system/text/display-width.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { CriterionRow } from "../criterion.ts";
import { MARKS } from "../criterion.ts";
import type { Style, Terminal } from "./terminal.ts";

const LONGEST_NAME = 200;

export const MARK_STYLES: { readonly [S in CriterionStatus]: Style } = {
  met: "green",
  unmet: "red",
  unverified: "yellow",
};

/** A criterion in one line: its mark, its name padded to the width of the others, and its result. */
export function criterionLine(
  { paint }: Pick<Terminal, "paint">,
  { name, status }: Pick<CriterionRow, "name" | "status">,
  nameWidth: number,
  known: string,
): string {
  const named = padded(fitted(oneLine(name, LONGEST_NAME), nameWidth), nameWidth);
  return `${paint(MARK_STYLES[status], MARKS[status])} ${named}  ${paint("dim", known)}`;
}

/** The width of the column of names. */
export function nameWidthOf(criteria: readonly { readonly name: string }[], widest: number): number {
  const widths = criteria.map(({ name }) => displayWidth(oneLine(name, LONGEST_NAME)));
  return Math.min(widest, Math.max(0, ...widths));
}
