import { describeEnding } from "../checks/evidence.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import { runAt } from "../checks/run-checks.ts";
import type { ShownProof } from "../../core/loop/proof.ts";
import type { ProofScene } from "./scene.ts";
import { proofOf } from "./scene.ts";
import { spoilScripts } from "./spoil-scripts.ts";
import { spoilTests } from "./spoil-tests.ts";

const UNNOTICED = "a failing test that was added to its test files in a clean room didn't make it fail";
const UNNOTICED_END =
  "a failure that was added to the end of its script in a clean room didn't make it fail: something ends the script early, or makes it harmless";
const OTHERS_FAILED = "on the same files it passed, then another test failed";

/**
 * Runs a check again on the same files: with two different results it is flaky. Where it can, the same run shows that the check
 * still fails when a test does.
 */
export async function showRepeat(scene: ProofScene, named: NamedCheck): Promise<ShownProof> {
  const { progress } = scene.site;
  const title = `${named.name} once more`;
  progress.checkBegins(title);
  const shown = await repeat(scene, named);
  progress.checkEnds(title, shown.result === "stands");
  return proofOf("repeat", named.name, shown);
}

async function repeat(scene: ProofScene, named: NamedCheck): Promise<Pick<ShownProof, "result" | "detail">> {
  const tests = await spoilTests(scene, named);
  const isScript = tests === "no-tests";
  switch (isScript ? await spoilScripts(scene, named) : tests) {
    case "noticed":
      return { result: "stands", detail: null };
    case "unnoticed":
      return { result: "open", detail: isScript ? UNNOTICED_END : UNNOTICED };
    case "other-failures":
      return { result: "fails", detail: OTHERS_FAILED };
    case "unknown": {
      const { ending } = await runAt(scene.site, named.check);
      if (ending.type === "exited" && ending.code === 0) return { result: "stands", detail: null };
      return { result: "fails", detail: `on the same files it passed, then it ${describeEnding(ending)}` };
    }
  }
}
