import { isRepeatable, strengthOf, type Attestation, type Criterion } from "../loop/criterion.ts";
import type { Confidence, Frame } from "../loop/loop.ts";
import { saysItRanNothing } from "../output/ran-nothing.ts";
import { asksForFewerTests } from "../spec/asked-changes.ts";
import type { CheckChanges, ProofKind, Proven, Shortfall } from "../loop/proof.ts";
import {
  changesOf,
  hasNoticedFaults,
  isAskedRemoval,
  isAnsweredByRepeat,
  isExplained,
  isNoticed,
  needsBaselineCheck,
  needsRevert,
  shownOf,
} from "./proofs.ts";

/** How sure a completion is, and what is missing to be sure. */
export interface Judged {
  readonly confidence: Confidence;
  readonly why: readonly string[];
}

const PASSES_WITHOUT = "the checks pass without the work, too";
const NOBODY_NOTICES = "no check is known to fail without the work";

/**
 * `frame`: with the evidence of this decision. `proven`: null if proofs are switched off. `treeDoubts`: why the tree reading
 * doesn't cover all files.
 */
export function judgedBy(frame: Frame, proven: Proven | null, treeDoubts: readonly string[] = []): Judged {
  const { criteria } = frame;
  if (criteria.length === 0) return { confidence: "unverified", why: ["no criterion says when it is done"] };
  const why = [
    ...criteria.flatMap(ofEvidence),
    ...(criteria.some(({ check }) => check !== null) ? treeDoubts : []),
    ...(criteria.some(isRepeatable) ? ofProofs(frame, proven) : []),
    ...(proven === null ? [] : openOf(proven, "holdout", null)),
  ];
  return { confidence: why.length === 0 ? "verified" : "weak", why };
}

function ofEvidence(criterion: Criterion): readonly string[] {
  const { name, check, evidence, attestation, failedTree } = criterion;
  if (check === null) {
    if (attestation !== null && strengthOf(attestation) === "enough") return [];
    return [`"${name}" rests on ${attestation === null ? "nobody's word" : wordOf(attestation)}`];
  }
  if (check.use === "once") return [`"${name}" has side effects: it ran once, without further proofs`];
  const isRedAndGreen = failedTree !== null && failedTree === evidence?.treeDigest;
  return [
    ...(evidence?.alteredTree === true ? [`"${name}" changes the files it judges`] : []),
    ...(isRedAndGreen ? [`"${name}" is flaky, or rests on ignored files: the same files failed before`] : []),
  ];
}

function wordOf({ by, actor }: Attestation): string {
  return `${actor === "person" ? "a person's" : "the agent's"} ${by}`;
}

function ofProofs(frame: Frame, proven: Proven | null): readonly string[] {
  if (proven === null) return ["proofs were switched off"];
  if (proven.changes.missing !== null) return [proven.changes.missing];
  return [
    ...frame.criteria.filter(isRepeatable).flatMap((each) => ofCriterion(frame, each, proven)),
    ...ofNoticing(frame, proven),
    ...failedOf(proven, null),
  ];
}

/** Faults that nothing notices say more than a revert. */
function ofNoticing(frame: Frame, proven: Proven): readonly string[] {
  const faults = shownOf(proven, "faults", null);
  if (faults?.result === "fails" && faults.detail !== null) return [faults.detail];
  return isNoticed(frame, proven) ? [] : [nobodyNotices(frame, proven)];
}

/** These say it in words of their own, or contradict the completion. */
const HAVE_RULES: ReadonlySet<ProofKind> = new Set([
  "judge",
  "revert",
  "counts",
  "repeat",
  "holdout",
  "faults",
]);

/** What the other proofs say that failed: of a check, or of the whole frame (null). */
function failedOf({ shown }: Proven, name: string | null): readonly string[] {
  const failed = shown.filter(
    (each) => each.name === name && each.result === "fails" && !HAVE_RULES.has(each.kind),
  );
  return failed.map(({ kind, detail }) => {
    const what = detail ?? `the proof "${kind}" failed`;
    return name === null ? what : `"${name}": ${what}`;
  });
}

function nobodyNotices({ criteria }: Frame, proven: Proven): string {
  const tried = criteria.flatMap(({ name }) => shownOf(proven, "revert", name) ?? []);
  if (tried.length > 0 && tried.every(({ result }) => result === "fails")) return PASSES_WITHOUT;
  // Those that a criterion needs itself are told with it.
  const reverts = criteria
    .filter((each) => !needsRevert(changesOf(proven, each)))
    .flatMap(({ name }) => shownOf(proven, "revert", name) ?? []);
  const why = reverts.find(({ result }) => result === "open")?.detail ?? null;
  return why === null ? NOBODY_NOTICES : `${NOBODY_NOTICES}: ${why}`;
}

function ofCriterion(frame: Frame, criterion: Criterion, proven: Proven): readonly string[] {
  const { name } = criterion;
  const changes = changesOf(proven, criterion);
  const repeat = shownOf(proven, "repeat", name);
  const isRevertNeeded = needsRevert(changes) && !hasNoticedFaults(proven) && !isAskedRemoval(frame, proven);
  const isUnnoticed = isRevertNeeded && shownOf(proven, "revert", name)?.result === "fails";
  const said = changes.before === "green" ? saysItRanNothing(criterion.evidence?.outputTail ?? "") : null;
  return [
    ...(said === null ? [] : [`"${name}" ran nothing (${said.slice(0, 120)})`]),
    ...openOf(proven, "judge", name),
    ...(repeat?.result === "fails" ? [`"${name}" is flaky: ${repeat.detail ?? "it passes and fails"}`] : []),
    ...openOf(proven, "repeat", name),
    ...failedOf(proven, name),
    ...(isRevertNeeded ? openOf(proven, "revert", name) : []),
    ...(isUnnoticed ? [`"${name}" also passes without the work`] : []),
    ...(changes.shortfalls ?? [])
      .filter((each) =>
        each.isClear
          ? isLeftToExemption(criterion, changes, each) &&
            !(each.isOfNumbers && asksForFewerTests(frame.spec))
          : !isAnsweredByBaselineCheck(proven, name, each) &&
            !isAnsweredByRepeat(proven, name, each) &&
            !isAllowed(proven, changes, each),
      )
      .map(({ text }) => `"${name}": ${text}`),
  ];
}

/** Tests that may change may have other names, as long as they notice faults. */
function isAllowed(proven: Proven, { definitions }: CheckChanges, { isOfNumbers }: Shortfall): boolean {
  return (
    isOfNumbers && hasNoticedFaults(proven) && definitions.some(({ isTest, isExempt }) => isTest && isExempt)
  );
}

/** Other names and more reports are those of other tests, if the opening's tests all ran and passed. */
function isAnsweredByBaselineCheck(proven: Proven, name: string, { isOfNumbers }: Shortfall): boolean {
  const judge = shownOf(proven, "judge", name);
  return isOfNumbers && judge?.result === "stands" && judge.detail === null;
}

/** Reports fewer tests if the user let tests change, because no judge checked that. */
function isLeftToExemption(criterion: Criterion, changes: CheckChanges, shortfall: Shortfall): boolean {
  return !needsBaselineCheck(criterion, changes) && isExplained(criterion, changes, shortfall);
}

/** Open proofs; without a name, those of every name. */
function openOf({ shown }: Proven, kind: string, name: string | null): readonly string[] {
  return shown
    .filter((each) => each.kind === kind && each.result === "open" && (name === null || each.name === name))
    .map((each) => `"${each.name ?? kind}": ${each.detail ?? "it could not be shown"}`);
}
