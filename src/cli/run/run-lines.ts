import type { Criterion } from "../../core/criterion.ts";
import { isMet, isVoid, standardOf } from "../../core/criterion.ts";
import type { Loop } from "../../core/loop.ts";
import { topFrame } from "../../core/loop.ts";
import { durationText } from "../../text/duration.ts";
import { completeText, pausedText, stepDoneLine } from "../../views/loop-lines.ts";
import { oneLine } from "../../text/plain-text.ts";
import type { CriterionRow } from "../../views/criterion-row.ts";
import { knownText, rowOf } from "../../views/criterion-row.ts";
import { criterionLine, nameWidthOf } from "../criterion-line.ts";
import type { Terminal } from "../terminal.ts";

const WIDEST_NAME = 48;
const SHORTEST_SHOWN = 20;
const TOO_WEAK = "Every check passes, but on weak evidence, and this loop is strict.";

export function unmetNames(loop: Loop): readonly string[] {
  const standard = standardOf(loop);
  return topFrame(loop)
    .criteria.filter((each) => !isMet(each, standard))
    .map((each) => each.name);
}

/** What the iteration changed: finished steps, and criteria with what their checks showed. */
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

/** Tests that the agent has never seen, where they fail. */
function hiddenLines(terminal: Terminal, loop: Loop): readonly string[] {
  const failed = topFrame(loop)
    .proofs.filter(({ result }) => result === "fails")
    .map(({ detail }) => ({ name: detail ?? "", status: "unmet" }) as const);
  const width = nameWidthOf(failed, WIDEST_NAME);
  return failed.map((each) => `  ${criterionLine(terminal, each, width, "fails, hidden from the agent")}`);
}

/** A criterion below the others of its loop, in one line of the terminal. */
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

/** Nothing is left to be shown, and yet it is not over. */
function unsaidLine(terminal: Terminal, loop: Loop): readonly string[] {
  const { criteria, exitRule, proofs } = topFrame(loop);
  const isOpen = loop.phase !== "completed" && exitRule === "criteria" && criteria.length > 0;
  if (!isOpen || unmetNames(loop).length > 0) return [];
  // Proofs are looked for only once the agent has said it.
  if ([...proofs, ...criteria.flatMap((each) => each.proofs)].length > 0)
    return loop.proof === "strict" ? [terminal.paint("dim", `    ${TOO_WEAK}`)] : [];
  return [terminal.paint("dim", "    Every check passes, but the agent has not said that it is finished.")];
}

/** A turn that ends in a violation is judged without its checks; what they showed before says nothing about it. */
function isOlderThanTurn({ phase, turnStartedAt }: Loop, { evidence }: Criterion): boolean {
  return phase === "paused" && evidence !== null && turnStartedAt !== null && evidence.at < turnStartedAt;
}

function howShown(loop: Loop, criterion: Criterion, row: CriterionRow): string {
  if (isOlderThanTurn(loop, criterion)) return "not run after this turn";
  if (criterion.evidence !== null && isVoid(criterion.evidence, standardOf(loop)))
    return "void: protected files changed; put them back, or accept them with loop approve";
  if (row.command === null && row.shown === null) return "needs somebody's word: loop criteria met";
  return [knownText(row), ...row.doubts].join(", ");
}

export function waitLine(until: number, now: number, detail: string): string {
  const time = new Date(until).toLocaleTimeString("en-GB");
  return `[LOOP] Waiting until ${time} (${durationText(until - now)}) | ${oneLine(detail, 120)}`;
}

/** What has to happen before a resume can come to anything. */
function firstLine(loop: Loop & { readonly phase: "paused" }): readonly string[] {
  if (loop.reason !== "must-not") return [];
  return [`First: put back what must not be (loop undo --loop ${loop.id}, or git restore)`];
}

/** `isNamed`: other loops are open too, so a command has to name this one. */
export function endLines(loop: Loop, isNamed: boolean): readonly string[] {
  switch (loop.phase) {
    case "completed":
      return [completeText(loop)];
    case "paused":
      return [pausedText(loop, isNamed), ...firstLine(loop)];
    case "cancelled":
      return [`[LOOP] Cancelled: ${loop.id}`];
    case "active":
      return [`[LOOP] Another session goes on with ${loop.id}.`];
  }
}
