import type { Criterion, CriterionStatus, Standard } from "../core/criterion.ts";
import { ageText } from "../text/duration.ts";
import { oneLine } from "../text/plain-text.ts";
import { attestationText } from "./attestation-text.ts";
import type { CriterionView } from "./criterion-view.ts";
import { criterionView } from "./criterion-view.ts";
import { doubtsOf, standingProofs } from "./proof-text.ts";

const LONGEST_ENDING = 120;
const LONGEST_COMMAND = 40;

/** What is said of a criterion that no command decides. */
export const NO_CHECK = "no check configured";

export const MARKS: { readonly [S in CriterionStatus]: string } = { met: "✓", unmet: "✗", unverified: "○" };

/** A criterion in words, wherever people see it: on the terminal, in the live view, in a file. */
export interface CriterionRow {
  readonly name: string;
  readonly status: CriterionStatus;
  /** What decides it; null: somebody's word does. */
  readonly command: string | null;
  /** What its check or somebody's word showed; null: nothing yet. */
  readonly shown: string | null;
  /** When its check ran; null where none did. */
  readonly shownAt: number | null;
  /** Who broke or mended it, what else was shown, and why a pass may not count. */
  readonly notes: readonly string[];
  /** Those of them that speak against a pass. */
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

/** `npm test: failed with exit code 1, 3 min ago, regressed`: with what decides it, how old that is, and the notes. */
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
  // Looked at again at the end, it is more than what was true before.
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
