import { isVoid, standardOf, type Criterion, type CriterionStatus } from "../../core/loop/criterion.ts";
import { displayWidth, fitted, padded } from "../../system/text/display-width.ts";
import { oneLine, shellWord } from "../../system/text/plain-text.ts";
import { failedHoldouts, knownText, MARKS, rowOf, unmetNames, type CriterionRow } from "../criterion.ts";
import type { Style, Terminal } from "./terminal.ts";
import { topFrame, type Loop } from "../../core/loop/loop.ts";
import { stepDoneLine } from "../loop-lines.ts";

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

const WIDEST_NAME = 48;
const SHORTEST_SHOWN = 20;
const TOO_WEAK = "Every check passes, but the evidence is weak, and this loop is strict.";

/** What the iteration changed: finished steps, and criteria with their results. */
export function judgedLines(terminal: Terminal, before: Loop | null, loop: Loop): readonly string[] {
  const done = new Set(
    before === null
      ? []
      : topFrame(before)
          .steps.filter((step) => step.done)
          .map((step) => step.name),
  );
  const steps = topFrame(loop).steps.filter((step) => step.done && !done.has(step.name));
  const shown = topFrame(loop).criteria.map((each) => {
    const row = rowOf(each, standardOf(loop));
    const status = isOlderThanTurn(loop, each) ? "unverified" : row.status;
    return shownLine(terminal, loop, { name: each.name, status }, howShown(loop, each, row));
  });
  return [
    ...steps.map((step) => stepDoneLine(loop, step.name)),
    ...shown,
    ...hiddenLines(terminal, loop),
    ...unsaidLine(terminal, loop),
  ];
}

/** Failing tests that the agent has never seen. */
function hiddenLines(terminal: Terminal, loop: Loop): readonly string[] {
  const failed = failedHoldouts(loop).map((name) => ({ name, status: "unmet" }) as const);
  const width = nameWidthOf(failed, WIDEST_NAME);
  return failed.map((each) => `  ${criterionLine(terminal, each, width, "fails, hidden from the agent")}`);
}

/** A criterion as one line of the terminal, aligned with the others of its loop. */
export function shownLine(
  terminal: Terminal,
  loop: Loop,
  criterion: Pick<CriterionRow, "name" | "status">,
  shown: string,
): string {
  const width = nameWidthOf(topFrame(loop).criteria, WIDEST_NAME);
  const room = Math.max(SHORTEST_SHOWN, terminal.width - width - 6);
  return `  ${criterionLine(terminal, criterion, width, oneLine(shown, room))}`;
}

/** Why the loop continues although every check passes. */
function unsaidLine(terminal: Terminal, loop: Loop): readonly string[] {
  const { criteria, exitRule, proofs } = topFrame(loop);
  // What was violated is why the loop pauses, whatever the agent said.
  const isViolated = loop.phase === "paused" && loop.reason === "must-not";
  const isOpen = loop.phase !== "completed" && !isViolated && exitRule === "criteria" && criteria.length > 0;
  if (!isOpen || unmetNames(loop).length > 0) return [];
  // Proofs run only once the agent has claimed to be finished.
  if ([...proofs, ...criteria.flatMap((each) => each.proofs)].length > 0)
    return loop.proof === "strict" ? [terminal.paint("dim", `    ${TOO_WEAK}`)] : [];
  return [terminal.paint("dim", "    Every check passes, but the agent has not said that it is finished.")];
}

/** A turn that ends in a violation is judged without its checks; earlier results say nothing about it. */
export function isOlderThanTurn({ phase, turnStartedAt }: Loop, { evidence }: Criterion): boolean {
  return phase === "paused" && evidence !== null && turnStartedAt !== null && evidence.at < turnStartedAt;
}

function howShown(loop: Loop, criterion: Criterion, row: CriterionRow): string {
  if (isOlderThanTurn(loop, criterion)) return "not run after this turn";
  if (criterion.evidence !== null && isVoid(criterion.evidence, standardOf(loop)))
    return "void: protected files changed; restore them, or accept them with loop approve";
  if (row.command === null && row.shown === null) {
    return `no command checks this; confirm it with: loop criteria met ${shellWord(criterion.name)}`;
  }
  return [knownText(row), ...row.doubts].join(", ");
}
