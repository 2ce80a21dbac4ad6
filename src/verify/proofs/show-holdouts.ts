import type { ShownProof } from "../../core/loop/proof.ts";
import { noteHoldoutRun } from "../holdouts/kept-holdout.ts";
import type { Holdout } from "./holdouts.ts";
import type { ProofScene } from "./scene.ts";
import { proofOf } from "./scene.ts";
import type { Trial } from "./try-holdout.ts";
import { tryHoldout } from "./try-holdout.ts";

/**
 * Runs the holdouts over the work. The result names nothing in them; their output is kept where only a person looks.
 */
export async function showHoldouts(
  scene: ProofScene,
  holdouts: readonly Holdout[],
): Promise<readonly ShownProof[]> {
  const { progress } = scene.site;
  const trials: (readonly [Holdout, Trial])[] = [];
  for (const holdout of holdouts) {
    progress.checkBegins(holdout.name);
    const trial = await tryHoldout(scene, holdout);
    progress.checkEnds(holdout.name, trial.result === "stands");
    trials.push([holdout, trial]);
  }
  const hasTested = trials.some(([, { tested }]) => tested === "more");
  return trials.map(([holdout, trial]) => {
    const { name, number, criterion } = holdout;
    // Files for the unit tests mean nothing to the linter; some check has to run them.
    const isIdle = trial.tested === "nothing" && !(hasTested && criterion !== null);
    const shown: Pick<ShownProof, "result" | "detail"> =
      trial.result === "stands" && isIdle
        ? { result: "open", detail: "it ran no tests of its own" }
        : { result: trial.result, detail: trial.detail };
    const told = shown.detail === null ? "" : ` (${shown.detail})`;
    noteHoldoutRun(scene.which, number, `${name}: ${shown.result}${told}\n${trial.note}`);
    return proofOf("holdout", name, shown);
  });
}
