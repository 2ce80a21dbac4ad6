import type { ShownProof } from "../core/proof.ts";
import type { Holdout } from "./holdouts.ts";
import type { ProofScene } from "./scene.ts";
import { proofOf, runInRoom } from "./scene.ts";

/** A holdout over the work. What it printed is nobody's to see. */
export async function showHoldout(scene: ProofScene, { name, check, files }: Holdout): Promise<ShownProof> {
  const run = await runInRoom(scene, { name, check }, files);
  if ("why" in run) return proofOf("holdout", name, { result: "open", detail: run.why });
  const { ending } = run.outcome;
  return proofOf("holdout", name, {
    result: ending.type === "exited" && ending.code === 0 ? "stands" : "fails",
  });
}
