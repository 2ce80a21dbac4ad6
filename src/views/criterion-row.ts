import type { Criterion, CriterionStatus, Standard } from "../core/loop/criterion.ts";
import { ageText } from "../system/text/quantities.ts";
import { oneLine } from "../system/text/plain-text.ts";
import { attestationText } from "./attestation-text.ts";
import type { CriterionView } from "./criterion-view.ts";
import { criterionView } from "./criterion-view.ts";
import { doubtsOf, standingProofs } from "./proof-text.ts";

const LONGEST_ENDING = 120;
const LONGEST_COMMAND = 40;

/** Shown for a criterion without a check. */
export const NO_CHECK = "no check configured";

export const MARKS: { readonly [S in CriterionStatus]: string } = { met: "✓", unmet: "✗", unverified: "○" };

/** A criterion in words, the same on the terminal, in the live view and in files. */
export interface CriterionRow {
  readonly name: string;
  readonly status: CriterionStatus;
  /** The command that decides it; null: an attestation does. */
  readonly command: string | null;
  /** The result of its check or attestation; null: nothing yet. */
  readonly shown: string | null;
  /** When its check ran; null if none did. */
  readonly shownAt: number | null;
  /** Who broke or fixed it, what else was shown, and why a pass may not count. */
  readonly notes: readonly string[];
  /** The notes that speak against a pass. */
  readonly doubts: readonly string[];
}

export function rowOf(criterion: Criterion, standard: Standard): CriterionRow {
  return criterionRow(criterionView(criterion, standard));
}

export function criterionRow(view: CriterionView): CriterionRow {
  const { name, status, check, evidence } = view;
  return {
    name,
    status,
    command: evidence?.command ?? check,
    shown: whatWasShown(view),
    shownAt: evidence === null ? null : Date.parse(evidence.at),
    notes: notesOn(view),
    doubts: doubtsOf(view.proofs),
  };
}

/** `failed with exit code 1`, `not run yet`, `attested by a person's observation`. */
export function knownText({ shown, command }: CriterionRow): string {
  return shown ?? (command === null ? NO_CHECK : "not run yet");
}

/** `npm test: failed with exit code 1, 3 min ago, regressed`: with its command, age and notes. */
export function detailText(row: CriterionRow, now: number): string {
  const { command, shown, shownAt, notes } = row;
  if (command === null) return shown === null ? NO_CHECK : `${NO_CHECK}, ${shown}`;
  const age = shownAt === null ? [] : [ageText(now - shownAt)];
  return `${oneLine(command, LONGEST_COMMAND)}: ${[knownText(row), ...age, ...notes].join(", ")}`;
}

function whatWasShown({ evidence, verification, attestedBy }: CriterionView): string | null {
  if (evidence !== null) return oneLine(evidence.ending, LONGEST_ENDING);
  if (verification === null || attestedBy === null) return null;
  return `attested by ${attestationText({ by: verification, actor: attestedBy })}`;
}

function notesOn(view: CriterionView): readonly string[] {
  const { evidence, attribution, alreadyTrue, void: isVoid, proofs } = view;
  if (evidence === null) return [];
  // Checked again at the end, this says more than that it was already true.
  const isKept = attribution === "clean" && proofs.length > 0;
  const isElsewhere = !isVoid && !evidence.current && evidence.exitCode === 0;
  return [
    ...(attribution === null || attribution === "clean" ? [] : [attribution]),
    ...(alreadyTrue ? [isKept ? "kept" : "already true"] : []),
    ...standingProofs(proofs),
    ...doubtsOf(proofs),
    ...(isVoid ? ["void: protected files changed"] : []),
    ...(isElsewhere ? ["on another tree"] : []),
  ];
}
