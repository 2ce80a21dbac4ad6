import type { Evidence } from "../../core/loop/criterion.ts";
import { topFrame } from "../../core/loop/loop.ts";
import type { Frame } from "../../core/loop/loop.ts";
import type { Proven, ShownProof } from "../../core/loop/proof.ts";
import { nextProofs } from "../../core/stop/proofs.ts";
import type { ProofRun } from "../../core/stop/proofs.ts";
import type { CheckSite } from "../checks/check-site.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { compareWithBaseline } from "../baseline/compare.ts";
import { comparisonOf } from "../baseline/loop-baselines.ts";
import type { TestReport } from "../reports/test-report.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { holdoutsOf, showHoldouts } from "./holdouts.ts";
import type { Holdout } from "./holdouts.ts";
import type { ProofScene } from "./proof-site.ts";
import { showBaselineCheck, showRevert } from "./baseline-check-and-revert.ts";
import { showRepeat } from "./show-repeat.ts";

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
  const scene: ProofScene = {
    machine,
    which: options.which,
    site,
    place: options.place,
    comparison,
    reports: seen.reports,
    reading,
  };
  const proven = await showAll(scene, frame, holdouts);
  return { proven, tree: proven.shown.length === 0 ? reading : await site.readTree() };
}

async function showAll(scene: ProofScene, frame: Frame, holdouts: readonly Holdout[]): Promise<Proven> {
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
    else for (const run of runs) shown.push(await show(scene, frame, run));
    proven = { ...proven, shown: [...proven.shown, ...shown] };
  }
}

async function show(scene: ProofScene, frame: Frame, { kind, name }: ProofRun): Promise<ShownProof> {
  const check = frame.criteria.find((each) => each.name === name)?.check ?? null;
  if (check === null) throw new Error(`no check is called ${name}`);
  const named = { name, check };
  switch (kind) {
    case "judge":
      return showBaselineCheck(scene, named);
    case "repeat":
      return showRepeat(scene, named);
    case "revert":
      return showRevert(scene, named);
    case "holdout":
      throw new Error("holdouts are shown together");
  }
}
