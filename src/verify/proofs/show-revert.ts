import { describeEnding } from "../checks/evidence.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import type { ShownProof } from "../../core/loop/proof.ts";
import type { ComparedCheck } from "../baseline/compare.ts";
import { CANNOT_RUN } from "../baseline/compare.ts";
import { asReverted } from "../baseline/replacements.ts";
import { readTestReport } from "../reports/read-test-report.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { toText } from "../../system/tree/git-tree.ts";
import { hasRunNothing } from "./ran-nothing.ts";
import type { ProofScene } from "./scene.ts";
import { comparedOf, proofOf, runInRoom } from "./scene.ts";

/** The revert: the current tests with the source of the opening. Red means that the check notices the work. */
export async function showRevert(scene: ProofScene, named: NamedCheck): Promise<ShownProof> {
  const { name } = named;
  const compared = comparedOf(scene, named);
  const replacements = await asReverted(scene.place, scene.comparison, compared);
  const within = uncomparedIn(scene);
  if (replacements === null && within !== null)
    return proofOf("revert", name, { result: "open", detail: within });
  if (replacements === null)
    return proofOf("revert", name, { result: "fails", detail: "no source changed since the opening" });
  const title = `${name} without the work`;
  scene.site.progress.checkBegins(title);
  const run = await runInRoom(scene, named, replacements);
  scene.site.progress.checkEnds(title, "outcome" in run && run.outcome.ending.type === "exited");
  if ("why" in run) return proofOf("revert", name, { result: "open", detail: run.why });
  const { ending } = run.outcome;
  // A check that hung before the work may hang without it.
  const hungBefore = ending.type === "timed-out" && compared.opening.start?.exitCode === null;
  if (!hungBefore && (ending.type !== "exited" || CANNOT_RUN.has(ending.code)))
    return proofOf("revert", name, {
      result: "open",
      detail: `it could not be run without the work: it ${describeEnding(ending)}`,
    });
  const isGreen = ending.type === "exited" && ending.code === 0;
  const report = readTestReport(run.outcome.output);
  if (!isGreen && restsOnNewTests(compared) && hasRunNothing(report, scene.reports.get(name) ?? null))
    return proofOf("revert", name, {
      result: "open",
      detail: "its new tests cannot even be loaded without it, so whether they notice it is unknown",
    });
  if (isGreen && within !== null)
    return proofOf("revert", name, {
      result: "open",
      detail: `it also passes without the work, but ${within}`,
    });
  return proofOf("revert", name, {
    result: isGreen ? "fails" : "stands",
    detail: isGreen ? "it also passes without the work" : null,
  });
}

/** The opening keeps the files of the repository alone, so a revert leaves those of a nested one as they are. */
function uncomparedIn({ reading }: ProofScene): string | null {
  const [nested] = reading?.tree?.nested ?? [];
  if (nested === undefined) return null;
  return `work inside a submodule (${oneLine(toText(nested), 80)}) isn't compared with the opening`;
}

/** Whether only the agent's own tests could notice the work: the opening's tests did not fail before, or there were none. */
function restsOnNewTests({ opening, changes }: ComparedCheck): boolean {
  const hadTests = opening.meaning?.definitions.some(
    ({ kind, digest }) => kind === "test" && digest !== null,
  );
  const failedBefore = opening.start?.passed === false && hadTests === true;
  return !failedBefore && changes.some(({ kind, change }) => kind === "test" && change !== "removed");
}
