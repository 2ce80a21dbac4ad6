import { removedAsAsked } from "../spec/asked-changes.ts";
import { isRepeatable, type Criterion } from "../loop/criterion.ts";
import type { LoopEvent } from "../events/event.ts";
import type { Frame } from "../loop/loop.ts";
import { NOTHING_EXECUTES } from "../loop/proof.ts";
import type { CheckChanges, ProofKind, Proven, Shortfall, ShownProof } from "../loop/proof.ts";
import type { Contradiction } from "./verdict.ts";

/** One proof to run, for a criterion or a holdout, by its name; null: for the whole frame. */
export interface ProofRun {
  readonly kind: Exclude<ProofKind, "counts">;
  readonly name: string | null;
}

/**
 * The proofs to run next, the cheapest and most telling first. Empty when everything is shown, or when something already
 * contradicts the claim.
 */
export function nextProofs(frame: Frame, proven: Proven): readonly ProofRun[] {
  if (contradictionsOf(frame, proven).length > 0) return [];
  // A holdout judges the current work and needs no opening.
  if (proven.changes.missing !== null) return lacking(proven, "holdout", proven.holdouts);
  const provable = frame.criteria.filter(isRepeatable);
  const names = (criteria: readonly Criterion[]): readonly string[] => criteria.map(({ name }) => name);
  const stages = [
    lacking(
      proven,
      "judge",
      names(provable.filter((each) => needsBaselineCheck(each, changesOf(proven, each)))),
    ),
    lacking(proven, "holdout", proven.holdouts),
    lacking(proven, "repeat", names(provable.filter((each) => !changesOf(proven, each).altersFiles))),
    lacking(proven, "violation", names(provable.filter((each) => changesOf(proven, each).judgesSource))),
    lacking(proven, "faults", needsFaults(frame, proven) ? [null] : []),
    lacking(
      proven,
      "revert",
      hasNoticedFaults(proven) ? [] : names(provable.filter((each) => needsRevert(changesOf(proven, each)))),
    ),
    isNoticed(frame, proven)
      ? []
      : lacking(proven, "revert", names(frame.criteria.filter(mayNotice))).slice(0, 1),
    lacking(proven, "causes", proven.changes.isWorkThere && provable.length > 0 ? [null] : []),
  ];
  return stages.find((runs) => runs.length > 0) ?? [];
}

function lacking(
  proven: Proven,
  kind: ProofRun["kind"],
  names: readonly (string | null)[],
): readonly ProofRun[] {
  return names.filter((name) => shownOf(proven, kind, name) === null).map((name) => ({ kind, name }));
}

export function shownOf({ shown }: Proven, kind: ProofKind, name: string | null): ShownProof | null {
  return shown.find((each) => each.kind === kind && each.name === name) ?? null;
}

const UNCHANGED: CheckChanges = {
  before: "unknown",
  definitions: [],
  shortfalls: null,
  altersFiles: false,
  judgesSource: false,
};

export function changesOf({ changes }: Proven, { name }: Pick<Criterion, "name">): CheckChanges {
  return changes.checks.get(name) ?? UNCHANGED;
}

/** New tests change nothing if there were no tests to judge by. */
export function needsBaselineCheck({ check }: Criterion, { before, definitions }: CheckChanges): boolean {
  const changed = definitions.filter(({ isExempt }) => !isExempt);
  const hadNothing = before === "unrun" || before === "unknown";
  if (hadNothing && check?.use === "not-yet") return false;
  if (before === "unrun" && changed.every(({ change, isTest }) => change === "added" && isTest)) return false;
  return changed.length > 0;
}

/** Checks that failed for another reason before, and tests that may change, have to show that they notice the work. */
export function needsRevert({ before, definitions }: CheckChanges): boolean {
  return before === "unrun" || definitions.some(({ isExempt }) => isExempt);
}

/**
 * Where tests failed before the work and pass with it, they notice it. Tests that came with the work, or that may change, have to
 * show it by noticing faults: a new test may only look whether a function is there.
 */
function needsFaults(frame: Frame, proven: Proven): boolean {
  const noticing = frame.criteria.filter(mayNotice);
  return (
    noticing.length > 0 &&
    (noticing.some((each) => changesOf(proven, each).definitions.some(({ isExempt }) => isExempt)) ||
      !noticing.some((each) => wasRedBefore(proven, each)))
  );
}

/** Whether some check noticed faults that were put into the changed lines. */
export function hasNoticedFaults(proven: Proven): boolean {
  return shownOf(proven, "faults", null)?.result === "stands";
}

/** A check that the agent added itself may be about anything, and turn from red to green without the work. */
function mayNotice(criterion: Criterion): boolean {
  return isRepeatable(criterion) && !criterion.isAgents;
}

/** Whether a check is known to fail without the work. */
export function isNoticed(frame: Frame, proven: Proven): boolean {
  const noticing = frame.criteria.filter(mayNotice);
  return (
    (noticing.length > 0 && (hasNoticedFaults(proven) || isAskedRemoval(frame, proven))) ||
    noticing.some(
      (each) =>
        wasRedBefore(proven, each) ||
        shownOf(proven, "revert", each.name)?.result === "stands" ||
        reportsMistakes(proven, each),
    )
  );
}

/** A linter notices the work by reporting a mistake in it, where no check executes it. */
function reportsMistakes(proven: Proven, { name }: Criterion): boolean {
  return (
    proven.changes.isWorkThere &&
    shownOf(proven, "faults", null)?.detail === NOTHING_EXECUTES &&
    shownOf(proven, "violation", name)?.result === "stands"
  );
}

/** What the spec asked to remove is gone. No test can notice that, and those of everything else pass. */
export function isAskedRemoval({ spec }: Frame, { changes }: Proven): boolean {
  return removedAsAsked(spec, changes.files?.deleted ?? []).length > 0;
}

function wasRedBefore(proven: Proven, criterion: Criterion): boolean {
  return proven.changes.isWorkThere && changesOf(proven, criterion).before === "red";
}

/** What shows that the work isn't done although its checks pass. */
export function contradictionsOf(frame: Frame, proven: Proven): readonly Contradiction[] {
  const provable = frame.criteria.filter(isRepeatable);
  return [
    ...provable.flatMap((each) => unexplainedShortfalls(each, proven)),
    ...provable.flatMap((each) => failedBaselineCheck(each, proven)),
    ...proven.shown.flatMap(failedHoldout),
  ];
}

function failedBaselineCheck({ name }: Criterion, proven: Proven): readonly Contradiction[] {
  const judge = shownOf(proven, "judge", name);
  if (judge?.result !== "fails") return [];
  const { detail, files, output } = judge;
  return [{ kind: "judge", name, detail: detail ?? "", files, output }];
}

/** The agent learns that hidden tests failed, and nothing about their content. */
function failedHoldout({ kind, name, result }: ShownProof): readonly Contradiction[] {
  if (kind !== "holdout" || result !== "fails") return [];
  return [{ kind, name, detail: "", files: [], output: null }];
}

function unexplainedShortfalls(criterion: Criterion, proven: Proven): readonly Contradiction[] {
  const changes = changesOf(proven, criterion);
  const clear = (changes.shortfalls ?? []).filter(
    (each) => each.isClear && !isExplained(criterion, changes, each),
  );
  if (clear.length === 0) return [];
  const detail = clear.map(({ text }) => text).join(" ");
  return [{ kind: "counts", name: criterion.name, detail, files: [], output: null }];
}

/**
 * If tests or their runner changed, those of the opening judge. If the user let tests change, the numbers may differ, but a
 * report that is cut short still contradicts. New tests explain nothing.
 */
export function isExplained(
  criterion: Criterion,
  changes: CheckChanges,
  { isOfNumbers }: Shortfall,
): boolean {
  const explaining = changes.definitions.filter(({ change, isTest }) => change !== "added" || !isTest);
  if (explaining.length === 0) return false;
  return isOfNumbers || needsBaselineCheck(criterion, changes);
}

/** Contradictions as recorded, without a new comparison. */
export function contradictionsOnRecord({ criteria, proofs }: Frame): readonly Contradiction[] {
  const ofCriteria = criteria.flatMap((each) => each.proofs.map((proof) => ({ name: each.name, proof })));
  const ofWhole = proofs.map((proof) => ({ name: proof.detail, proof }));
  return [...ofCriteria, ...ofWhole].flatMap(({ name, proof }): readonly Contradiction[] => {
    const { kind, result, detail, files, ran } = proof;
    if (result !== "fails" || (kind !== "judge" && kind !== "counts" && kind !== "holdout")) return [];
    return [
      { kind, name, detail: kind === "holdout" ? "" : (detail ?? ""), files, output: ran?.output ?? null },
    ];
  });
}

/** Missing tests are answered for only by the opening's judge, which ran them with the current work. */
function countsOf(
  criterion: Criterion,
  proven: Proven,
  shortfalls: readonly Shortfall[],
): ShownProof["result"] {
  if (unexplainedShortfalls(criterion, proven).length > 0) return "fails";
  const judge = shownOf(proven, "judge", criterion.name);
  const isJudged = judge?.result === "stands" && judge.detail === null;
  return shortfalls.every(
    (each) =>
      (isJudged && (each.isClear || each.isOfNumbers)) || isAnsweredByRepeat(proven, criterion.name, each),
  )
    ? "stands"
    : "open";
}

/** What a report would show is shown by a failing test that the check noticed. */
export function isAnsweredByRepeat(proven: Proven, name: string, { isUnread }: Shortfall): boolean {
  return isUnread === true && shownOf(proven, "repeat", name)?.hasNoticed === true;
}

/** The proofs as facts: the counts of each criterion, and what ran. */
export function eventsOfProofs(frame: Frame, proven: Proven): readonly LoopEvent[] {
  const counts = frame.criteria.flatMap((criterion): readonly LoopEvent[] => {
    const { shortfalls } = changesOf(proven, criterion);
    if (shortfalls === null) return [];
    const detail = shortfalls.length === 0 ? null : shortfalls.map(({ text }) => text).join(" ");
    const result = countsOf(criterion, proven, shortfalls);
    return [
      { type: "proof.shown", name: criterion.name, proof: { kind: "counts", result, detail, files: [] } },
    ];
  });
  const names = new Set(frame.criteria.map(({ name }) => name));
  const shown = proven.shown.flatMap(({ kind, result, name, detail, files, ran }): readonly LoopEvent[] => {
    if (kind === "holdout")
      return [{ type: "proof.shown", name: null, proof: { kind, result, detail: name, files: [] } }];
    // Nothing could be tried, so nothing is known.
    if (result === "open" && detail === null) return [];
    // A criterion may have been removed meanwhile.
    if (name !== null && !names.has(name)) return [];
    const seen = ran === undefined ? {} : { ran };
    return [{ type: "proof.shown", name, proof: { kind, result, detail, files, ...seen } }];
  });
  return [...counts, ...shown];
}
