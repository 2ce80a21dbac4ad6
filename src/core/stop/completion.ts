import { joined } from "../joined.ts";
import type { Criterion, Evidence, Standard } from "../loop/criterion.ts";
import {
  CHECK_TIERS,
  describeCheck,
  isCurrent,
  isMet,
  isRepeatable,
  isVoid,
  strengthOf,
  standardOf,
} from "../loop/criterion.ts";
import { isWorkflow, topFrame, type Frame, type Loop } from "../loop/loop.ts";
import type { ChangedFiles, Proven } from "../loop/proof.ts";
import { judgedBy, type Judged } from "./confidence.ts";
import { TAGS_OF_MODE, type Observations, type Need, type Said, type Signal } from "./facts.ts";
import { contradictionsOf, nextProofs } from "./proofs.ts";
import type { Contradiction } from "./verdict.ts";

export type Completion =
  | (Judged & { readonly type: "satisfied"; readonly changed: ChangedFiles | null })
  | { readonly type: "contradicted"; readonly contradictions: readonly [Contradiction, ...Contradiction[]] }
  /** `isClaimed`: a claim is refused, or a driven turn ended. Otherwise the checks only show where the work is. */
  | { readonly type: "unsatisfied"; readonly failing: readonly Criterion[]; readonly isClaimed: boolean }
  /** Checks pass, but it is unknown on which files. */
  | { readonly type: "unknown-files" }
  | { readonly type: "given-up"; readonly outcome: "stuck" | "iterations" }
  | { readonly type: "needs"; readonly needs: readonly [Need, ...Need[]] }
  | { readonly type: "checks-running"; readonly names: readonly string[] };

const UNSATISFIED = { type: "unsatisfied", failing: [], isClaimed: true } as const;

/**
 * Is the current frame finished? First its exit rule decides, then the checks. `always` runs the checks even without a claim:
 * then they decide nothing but show the current state.
 */
export function completionOf(loop: Loop, said: Said, findings: Observations, always: boolean): Completion {
  if (isWorkflow(loop)) return settled(findings);
  const frame = topFrame(loop);
  const unclaimed = (): Completion =>
    always ? unsatisfiedBy(loop, frame, findings) : standing(loop, frame, findings);
  switch (frame.exitRule) {
    case "criteria":
      return frame.exitSignal ? shown(loop, frame, findings, always) : unclaimed();
    case "marker":
      return said.marker ? shown(loop, frame, findings, always) : unclaimed();
    case "tasks":
      return areTasksDone(loop, frame) ? shown(loop, frame, findings, always) : unclaimed();
    case "signal":
      switch (lastSignal(frame, said)) {
        case null:
          return unclaimed();
        case "STUCK":
          return { type: "given-up", outcome: "stuck" };
        case "MAX_ITERATIONS":
        case "MAX_ISSUES":
          return { type: "given-up", outcome: "iterations" };
        case "COMPLETE":
        case "DONE":
        case "NO_MORE_ISSUES":
          return shown(loop, frame, findings, always);
      }
  }
}

/** A workflow is completed by whoever merges its last task and judges the whole, never by a stop itself. */
function settled({ settlement, outlasting = [] }: Observations): Completion {
  if (settlement !== undefined) return UNSATISFIED;
  if (outlasting.length > 0) return { type: "checks-running", names: outlasting };
  return { type: "needs", needs: [{ type: "settlement" }] };
}

/** An empty list isn't finished unless the agent says so, or the loop was adopted for tasks that somebody has deleted since. */
function areTasksDone({ origin, frames }: Loop, frame: Frame): boolean {
  const hadTasks = frame.tasks.length > 0 || (origin === "task-list" && frames.length === 1);
  return pendingTasks(frame).length === 0 && (hadTasks || frame.exitSignal);
}

function pendingTasks(frame: Frame): Frame["tasks"] {
  return frame.tasks.filter((task) => task.status !== "completed");
}

export function isAttested(criterion: Criterion): boolean {
  return criterion.attestation !== null && strengthOf(criterion.attestation) !== "blocks";
}

function lastSignal(frame: Frame, said: Said): Signal | null {
  const tags = TAGS_OF_MODE[frame.mode];
  return said.signals.findLast((each) => tags.includes(each.tag))?.signal ?? null;
}

/**
 * Every criterion has to be met, by a passing check on the current tree or by an attestation. Then the proofs have to stand,
 * and last come the checks with side effects.
 */
function shown(loop: Loop, frame: Frame, findings: Observations, always: boolean): Completion {
  const unchecked = frame.criteria.filter((criterion) => criterion.check === null);
  if (!unchecked.every(isAttested))
    return always ? unsatisfiedBy(loop, frame, findings) : standing(loop, frame, findings);
  const unsatisfied = examine(loop, frame.criteria.filter(isRepeatable), findings);
  if (unsatisfied !== null) return unsatisfied;
  const proven = loop.proof === "off" ? null : findings.proven;
  const outlasting = findings.outlasting ?? [];
  if (proven === undefined && outlasting.length > 0) return { type: "checks-running", names: outlasting };
  if (proven === undefined || (proven !== null && nextProofs(frame, proven).length > 0))
    return { type: "needs", needs: [{ type: "proofs" }] };
  const [first, ...more] = proven === null ? [] : contradictionsOf(frame, proven);
  if (first !== undefined) return { type: "contradicted", contradictions: [first, ...more] };
  if (loop.proof === "strict") {
    const weak = tooWeak(examined(frame, findings), proven, findings.treeDoubts);
    if (weak !== null) return weak;
  }
  const last = examine(loop, frame.criteria.filter(hasEffects), findings);
  if (last !== null) return last;
  const judged = judgedBy(examined(frame, findings), proven, findings.treeDoubts);
  return { type: "satisfied", ...judged, changed: proven?.changes.files ?? null };
}

function hasEffects(criterion: Criterion): boolean {
  return criterion.check !== null && !isRepeatable(criterion);
}

/** The frame with the results of this decision's own checks. */
function examined(frame: Frame, findings: Observations): Frame {
  const criteria = frame.criteria.map((criterion) => {
    const fresh = foundOf(criterion, findings);
    return fresh === null ? criterion : { ...criterion, evidence: fresh };
  });
  return { ...frame, criteria };
}

/** Decided before any check with side effects runs. Such a check is at most weak, which the user accepted by declaring it. */
function tooWeak(
  frame: Frame,
  proven: Proven | null,
  treeDoubts: Observations["treeDoubts"],
): Completion | null {
  const criteria = frame.criteria.filter((each) => !hasEffects(each));
  if (criteria.length === 0 && frame.criteria.length > 0) return null;
  const { confidence, why } = judgedBy({ ...frame, criteria }, proven, treeDoubts);
  if (confidence === "verified") return null;
  const detail = joined(why);
  return {
    type: "contradicted",
    contradictions: [{ kind: "strict", name: null, detail, files: [], output: null }],
  };
}

function unsatisfiedBy(loop: Loop, frame: Frame, findings: Observations): Completion {
  return examine(loop, frame.criteria.filter(isRepeatable), findings) ?? UNSATISFIED;
}

/** Where the work is, by the checks that take no time: nobody claims that it is finished. */
function standing(loop: Loop, frame: Frame, findings: Observations): Completion {
  const checked = frame.criteria.filter((each) => isRepeatable(each) && each.evidence !== null);
  if (checked.length === 0) return { ...UNSATISFIED, isClaimed: false };
  if (findings.tree === undefined) return { type: "needs", needs: [{ type: "tree" }] };
  const standard = standardOf(loop, findings.tree);
  const known = checked.filter(isQuick).map((criterion) => {
    const evidence = foundOf(criterion, findings) ?? currentOf(criterion, standard);
    return { ...criterion, evidence };
  });
  const names = known
    .filter(({ name, evidence }) => evidence === null && findings.outlasting?.includes(name) !== true)
    .map(({ name }) => name);
  if (names.length > 0) return { type: "needs", needs: [{ type: "checks", names }] };
  const failing = known.filter(
    (each) => each.evidence !== null && !countsAsPassed(each, each.evidence, standard),
  );
  return { type: "unsatisfied", failing, isClaimed: false };
}

function isQuick({ evidence }: Criterion): boolean {
  return evidence !== null && evidence.durationMs < CHECK_TIERS.quick;
}

function currentOf({ evidence }: Criterion, standard: Standard): Evidence | null {
  return evidence !== null && isCurrent(evidence, standard) ? evidence : null;
}

/** The criteria whose checks ran, but not on these files. */
export function outdatedOf(loop: Loop, tree: Observations["tree"]): readonly string[] {
  const standard = standardOf(loop, tree);
  return topFrame(loop)
    .criteria.filter(
      (each) => isRepeatable(each) && each.evidence !== null && !isCurrent(each.evidence, standard),
    )
    .map(({ name }) => name);
}

/** What the checks object to; null when all of them passed on the current tree. */
function examine(
  loop: Loop,
  checked: readonly Criterion[],
  findings: Observations,
): Exclude<Completion, { type: "satisfied" }> | null {
  if (checked.length === 0) return null;
  if (findings.tree === undefined) return { type: "needs", needs: [{ type: "tree" }] };
  const standard = standardOf(loop, findings.tree);
  const failing: Criterion[] = [];
  const missing: string[] = [];
  for (const criterion of checked) {
    // Only this decision's own checks count. Recorded evidence may come from anybody's `loop check`.
    const fresh = foundOf(criterion, findings);
    if (fresh === null) missing.push(criterion.name);
    else if (!countsAsPassed(criterion, fresh, standard)) failing.push({ ...criterion, evidence: fresh });
  }
  if (missing.length > 0) {
    const outlasting = findings.outlasting?.filter((name) => missing.includes(name)) ?? [];
    if (outlasting.length > 0 && failing.length === 0) return { type: "checks-running", names: outlasting };
    const names = missing.filter((name) => !outlasting.includes(name)).toSorted(failedFirst(checked));
    if (names.length > 0) return { type: "needs", needs: [{ type: "checks", names }] };
  }
  if (failing.length === 0) return null;
  const areUnknown = findings.tree === null && failing.every(({ evidence }) => evidence?.passed === true);
  return areUnknown ? { type: "unknown-files" } : { type: "unsatisfied", failing, isClaimed: true };
}

/** Runs what failed last time first: it will probably fail again, and quickly. */
function failedFirst(criteria: readonly Criterion[]): (one: string, other: string) => number {
  const failed = new Set(
    criteria.flatMap(({ name, evidence }) => (evidence?.passed === false ? [name] : [])),
  );
  return (one, other) => Number(failed.has(other)) - Number(failed.has(one));
}

/** This stop's result for a criterion as it is now. */
export function foundOf(criterion: Criterion, findings: Observations): Evidence | null {
  const evidence = findings.checks?.get(criterion.name);
  return evidence !== undefined && isAbout(criterion, evidence) ? evidence : null;
}

/** A check can be replaced while it runs; the old result says nothing about the new check. */
function isAbout({ check }: Criterion, evidence: Evidence): boolean {
  return check !== null && evidence.command === describeCheck(check);
}

/** A pass counts only for exactly this check, this tree and these protected paths. */
function countsAsPassed(criterion: Criterion, evidence: Evidence, standard: Standard): boolean {
  return evidence.passed && isAbout(criterion, evidence) && isCurrent(evidence, standard);
}

/** The names of what blocks completion: criteria in order, or the remaining tasks. */
export function unmetOf(loop: Loop, findings: Observations): readonly string[] {
  const frame = topFrame(loop);
  if (frame.exitRule === "tasks") {
    const isPlanned = loop.workflow !== null;
    return pendingTasks(frame).map(({ id, subject }) => (isPlanned ? `${id} ${subject}` : subject));
  }
  const standard = standardOf(loop, findings.tree);
  return frame.criteria.filter((each) => !isMet(each, standard)).map((each) => each.name);
}

export function voidedOf(loop: Loop): readonly string[] {
  const standard = standardOf(loop, undefined);
  return topFrame(loop)
    .criteria.filter((each) => each.evidence !== null && isVoid(each.evidence, standard))
    .map((each) => each.name);
}
