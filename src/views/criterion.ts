import { joined } from "../core/joined.ts";
import {
  attributionOf,
  describeCheck,
  isCurrent,
  isMet,
  isVoid,
  standardOf,
  statusOf,
  type Criterion,
  type CriterionStatus,
  type Standard,
  type Attestation,
  type Evidence,
  type VerificationType,
} from "../core/loop/criterion.ts";
import { ageText } from "../system/text/quantities.ts";
import type { Actor } from "../core/events/event.ts";
import { topFrame, type Loop } from "../core/loop/loop.ts";
import { FAILED_PROOFS, OPEN_PROOFS, type Proof } from "../core/loop/proof.ts";
import type { RanCheck, TestCounts } from "./story/iterations.ts";
import { oneLine } from "../system/text/plain-text.ts";

/** One criterion as `loop status --json` prints it. Names are public. */
export interface CriterionView {
  readonly name: string;
  readonly status: CriterionStatus;
  /** What the status rests on: `check`, a verification type, or null. */
  readonly verification: VerificationType | null;
  /** Who attested it; null if nobody did. */
  readonly attestedBy: Actor | null;
  readonly check: string | null;
  readonly attribution: string | null;
  readonly alreadyTrue: boolean;
  readonly void: boolean;
  readonly evidence: EvidenceView | null;
  /** What the proofs showed beyond the evidence, at the same stop. */
  readonly proofs: readonly ProofView[];
}

export type ProofView = Pick<Proof, "kind" | "result" | "detail" | "files" | "ran">;

interface EvidenceView extends Pick<
  Evidence,
  "command" | "exitCode" | "ending" | "outputTail" | "treeDigest" | "durationMs"
> {
  readonly at: string;
  readonly current: boolean;
  /** How many tests ran, where the output says so. */
  readonly tests: TestCounts | null;
}

export function criterionView(criterion: Criterion, standard: Standard): CriterionView {
  const { name, check, evidence, attestation, proofs } = criterion;
  return {
    name,
    status: statusOf(criterion, standard),
    verification: check === null ? (attestation?.by ?? null) : evidence === null ? null : "execution output",
    attestedBy: check === null ? (attestation?.actor ?? null) : null,
    check: check === null ? null : describeCheck(check),
    attribution: attributionOf(criterion),
    alreadyTrue: criterion.passedAtStart === true,
    void: evidence !== null && isVoid(evidence, standard),
    evidence: evidence === null ? null : evidenceView(evidence, standard),
    proofs: proofs.map(proofView),
  };
}

function evidenceView(evidence: Evidence, standard: Standard): EvidenceView {
  const { command, exitCode, ending, outputTail, treeDigest, durationMs } = evidence;
  const at = new Date(evidence.at).toISOString();
  return {
    command,
    exitCode,
    ending,
    outputTail,
    treeDigest,
    durationMs,
    at,
    current: isCurrent(evidence, standard),
    tests: null,
  };
}

/** With the test counts that were read out of the same run's output. */
export function withTests(view: CriterionView, ran: readonly RanCheck[]): CriterionView {
  const { evidence, name } = view;
  if (evidence === null) return view;
  const tests = ran.findLast((each) => each.name === name && each.at === evidence.at)?.tests ?? null;
  return { ...view, evidence: { ...evidence, tests } };
}

export function proofView({ kind, result, detail, files, ran }: Proof): ProofView {
  return { kind, result, detail, files, ...(ran === undefined ? {} : { ran }) };
}

/** The original tests contradict tests that changed. */
export function isObjection({ kind, result }: Pick<Proof, "kind" | "result">): boolean {
  return kind === "judge" && result === "fails";
}

const LONGEST_ENDING = 120;
const LONGEST_COMMAND = 40;

export function unmetNames(loop: Loop): readonly string[] {
  const standard = standardOf(loop);
  return topFrame(loop)
    .criteria.filter((each) => !isMet(each, standard))
    .map(({ name }) => name);
}

/** Tests that the agent never saw and that fail, by name. They are beside the criteria. */
export function failedHoldouts(loop: Loop): readonly string[] {
  return topFrame(loop)
    .proofs.filter(({ kind, result }) => kind === "holdout" && result === "fails")
    .map(({ detail }) => detail ?? "");
}

/** What keeps a loop from its end although its criteria are met: `, but hidden tests fail: totals`. */
export function butHidden(loop: Loop): string {
  const names = failedHoldouts(loop).map((name) => name.replace(/^holdout: /, ""));
  if (names.length === 0) return "";
  const named = names.filter((name) => name !== "").map((name) => oneLine(name, LONGEST_HIDDEN));
  return `, but hidden tests fail${named.length === 0 ? "" : `: ${named.join(", ")}`}`;
}

const LONGEST_HIDDEN = 120;

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
  const isContradicted = view.status === "unmet" && evidence.exitCode === 0 && doubtsOf(proofs).length > 0;
  return [
    ...(isContradicted ? doubtsOf(proofs) : []),
    ...(attribution === null || attribution === "clean" || isContradicted ? [] : [attribution]),
    ...(alreadyTrue ? [isKept && !isContradicted ? "kept" : "already true"] : []),
    ...standingProofs(proofs),
    ...(isContradicted ? [] : doubtsOf(proofs)),
    ...(isVoid ? ["void: protected files changed"] : []),
    ...(isElsewhere ? ["on another tree"] : []),
  ];
}

/** Who attested, and how they know: `a person's observation`, `the agent's code review`. */
export function attestationText({ by, actor }: Pick<Attestation, "by" | "actor">): string {
  return `${actor === "person" ? "a person's" : "the agent's"} ${by}`;
}

/** The proofs behind a passing check: `proofs: judge, counts, repeat`. */
export function standingProofs(proofs: readonly Pick<Proof, "kind" | "result">[]): readonly string[] {
  const kinds = proofs.filter(({ result }) => result === "stands").map(({ kind }) => kind);
  return kinds.length === 0 ? [] : [`proofs: ${kinds.join(", ")}`];
}

/** The proofs that failed or stayed open, each with what is unknown for lack of it and why. */
function doubtsOf(proofs: readonly Pick<Proof, "kind" | "result" | "detail">[]): readonly string[] {
  const open = proofs.filter(({ result }) => result === "open").map(unshown);
  const failed = proofs.filter(({ result }) => result === "fails").map(({ kind }) => FAILED_PROOFS[kind]);
  return [...failed, ...(open.length === 0 ? [] : [`not shown: ${open.join(", ")}`])];
}

const LONGEST_DETAIL = 200;

function unshown({ kind, detail }: Pick<Proof, "kind" | "detail">): string {
  return detail === null
    ? OPEN_PROOFS[kind]
    : `${OPEN_PROOFS[kind]} (${oneLine(joined([detail]), LONGEST_DETAIL)})`;
}
