import { isRepeatable, type Evidence } from "../../core/loop/criterion.ts";
import { topFrame, type Frame } from "../../core/loop/loop.ts";
import type { Proven, ShownProof } from "../../core/loop/proof.ts";
import { nextProofs, type ProofRun } from "../../core/stop/proofs.ts";
import type { CheckSite } from "../checks/check-site.ts";
import { differOnlyBy, type NamedCheck } from "../checks/run-checks.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { compareWithBaseline } from "../baseline/compare.ts";
import { comparisonOf } from "../baseline/loop-baselines.ts";
import type { TestReport } from "../reports/test-report.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { holdoutsOf, showHoldouts, type Holdout } from "./holdouts.ts";
import type { SampleScene } from "./proof-site.ts";
import { showBaselineCheck, showRevert } from "./baseline-check-and-revert.ts";
import { proofBudget } from "./proof-budget.ts";
import { showCauses } from "./show-causes.ts";
import { inFreshPlace } from "./in-fresh-place.ts";
import { showFaults } from "./show-faults.ts";
import { showRepeat } from "./show-repeat.ts";
import { showViolation } from "./show-violation.ts";

export interface Gathered {
  readonly proven: Proven;
  /** The files afterwards. */
  readonly tree: TreeReading | null;
}

/**
 * Everything beyond passing checks: first what changed since the opening, then one proof after the other, as the core asks for
 * them.
 */
export async function gatherProofs(
  machine: Machine,
  known: KnownLoop,
  site: CheckSite,
  seen: {
    readonly tree: TreeReading | null;
    readonly reports: ReadonlyMap<string, TestReport | null>;
    readonly evidence: ReadonlyMap<string, Evidence>;
  },
): Promise<Gathered> {
  const { live } = known;
  const frame = topFrame(live.loop);
  const reading = seen.tree ?? (await site.readTree());
  const options = comparisonOf(machine, known, reading);
  const comparison = await compareWithBaseline({
    ...options,
    reports: seen.reports,
    evidence: seen.evidence,
  });
  const holdouts = holdoutsOf(machine, known);
  const checksMs = [...seen.evidence.values()].reduce((sum, { durationMs }) => sum + durationMs, 0);
  const scene: SampleScene = {
    machine,
    which: options.which,
    site,
    place: options.place,
    comparison,
    reports: seen.reports,
    printed: new Map([...seen.evidence].map(([name, { outputTail }]) => [name, outputTail])),
    reading,
    spec: options.spec,
    budget: proofBudget(site.now, checksMs, live.loop.proofBudgetMs),
    runs: [...seen.evidence.values()].map(({ at, durationMs }) => ({ from: at - durationMs, to: at })),
    ran: new Map(),
    failedBefore: new Map(
      frame.criteria.flatMap(({ name, evidence }) =>
        evidence?.passed === false && evidence.at === comparison.checks.get(name)?.baseline.start?.endedAt
          ? [[name, evidence.outputTail]]
          : [],
      ),
    ),
  };
  const proven = await showAll(scene, frame, holdouts);
  if (proven.shown.length === 0) return { proven, tree: reading };
  const tree = await site.readTree();
  // What checks leave behind doesn't make their results old.
  return { proven, tree: differOnlyBy(site.products?.() ?? [], reading, tree) ? reading : tree };
}

async function showAll(scene: SampleScene, frame: Frame, holdouts: readonly Holdout[]): Promise<Proven> {
  let proven: Proven = {
    changes: scene.comparison.changes,
    shown: [],
    holdouts: holdouts.map(({ name }) => name),
  };
  for (;;) {
    const runs = nextProofs(frame, proven);
    if (runs.length === 0) return proven;
    const shown: ShownProof[] = [];
    if (runs.some(({ kind }) => kind === "holdout")) shown.push(...(await showHoldouts(scene, holdouts)));
    else for (const run of runs) shown.push(await show(scene, frame, run, proven));
    proven = { ...proven, shown: [...proven.shown, ...shown] };
  }
}

async function show(
  scene: SampleScene,
  frame: Frame,
  { kind, name }: ProofRun,
  proven: Proven,
): Promise<ShownProof> {
  if (kind === "faults") return showFaults(scene, repeatableOf(frame));
  if (kind === "causes") {
    const isSure = proven.shown.every((each) => each.kind !== "repeat" || each.result === "stands");
    const isUnnoticed = proven.shown.some((each) => each.kind === "faults" && each.result === "fails");
    return showCauses(scene, repeatableOf(frame), { isSure, isUnnoticed });
  }
  const check = frame.criteria.find((each) => each.name === name)?.check ?? null;
  if (check === null || name === null) throw new Error(`no check is called ${name}`);
  const named = { name, check };
  switch (kind) {
    case "judge":
      return showBaselineCheck(scene, named);
    case "repeat":
      return inFreshPlace(scene, named, showRepeat);
    case "revert":
      return showRevert(scene, named);
    case "violation":
      return showViolation(scene, named);
    case "holdout":
      throw new Error("holdouts are shown together");
  }
}

function repeatableOf({ criteria }: Frame): readonly NamedCheck[] {
  return criteria
    .filter(isRepeatable)
    .flatMap(({ name, check }) => (check === null ? [] : [{ name, check }]));
}
