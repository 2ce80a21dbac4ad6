import { describeEnding } from "../checks/evidence.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import { runAt } from "../checks/run-checks.ts";
import type { ShownProof } from "../core/proof.ts";
import type { ProofScene } from "./scene.ts";
import { proofOf } from "./scene.ts";

/** Runs a check again on the same files: with two different results it is flaky. */
export async function showRepeat({ site }: ProofScene, { name, check }: NamedCheck): Promise<ShownProof> {
  const title = `${name} once more`;
  site.progress.checkBegins(title);
  const { ending } = await runAt(site, check);
  const isSame = ending.type === "exited" && ending.code === 0;
  site.progress.checkEnds(title, isSame);
  return proofOf("repeat", name, {
    result: isSame ? "stands" : "fails",
    detail: isSame ? null : `on the same files it passed, then it ${describeEnding(ending)}`,
  });
}
