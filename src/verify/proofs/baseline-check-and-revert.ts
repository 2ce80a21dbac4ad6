import { describeEnding, hasPassed } from "../checks/check-site.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import type { ShownProof } from "../../core/loop/proof.ts";
import { nameOfDefinition } from "../definitions/definition.ts";
import type { ComparedCheck } from "../baseline/compare.ts";
import { CANNOT_RUN, shortfallOfBaseline } from "../baseline/shortfalls.ts";
import { asJudged, asReverted } from "../baseline/replacements.ts";
import type { CommandOutcome } from "../../system/process/run-command.ts";
import { readTestReport } from "../reports/read-test-report.ts";
import { hasRunNothing } from "../reports/compare-reports.ts";
import { comparedOf, proofOf, runInRoom, tailOf } from "./proof-site.ts";
import type { ProofScene } from "./proof-site.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { toText } from "../../system/tree/index-entries.ts";

const NOT_KEPT = "its definition could not be kept at the opening";
const COULD_NOT = "the original tests could not run with the current work";

/** The opening's judge: the current work with the original tests. */
export async function showBaselineCheck(scene: ProofScene, named: NamedCheck): Promise<ShownProof> {
  const { name } = named;
  const compared = comparedOf(scene, named);
  const files = compared.judged.map(
    (each) => `${nameOfDefinition(each)}${each.change === "changed" ? "" : ` (${each.change})`}`,
  );
  if (compared.judged.some(({ kind }) => kind === "inline")) {
    const detail = "tests inside source files are gone or skipped";
    return proofOf("judge", name, { result: "fails", detail, files });
  }
  const title = `${name} with the original tests`;
  scene.site.progress.checkBegins(title);
  const judged = await judgeWithInputs(scene, named, compared);
  scene.site.progress.checkEnds(title, judged.result === "stands");
  return proofOf("judge", name, { ...judged, files });
}

type Shown = Pick<ShownProof, "result" | "detail">;
type Judgement = Shown & Pick<ShownProof, "output">;

/** Inputs may be the work. So if only they make it fail, a person has to decide. */
async function judgeWithInputs(
  scene: ProofScene,
  named: NamedCheck,
  compared: ComparedCheck,
): Promise<Judgement> {
  const inputs = compared.judged.filter(({ kind }) => kind === "input");
  const others = compared.judged.filter(({ kind }) => kind !== "input");
  const judged = await judgeWith(scene, named, compared);
  if (judged.result !== "fails" || inputs.length === 0) return judged;
  const without = others.length === 0 ? null : await judgeWith(scene, named, { ...compared, judged: others });
  if (without !== null && without.result !== "stands") return without;
  const names = inputs.map(nameOfDefinition).join(", ");
  const detail = `it fails with ${names} as at the opening; look whether that change is the work, or bends the check`;
  return { result: "open", detail, output: null };
}

async function judgeWith(scene: ProofScene, named: NamedCheck, compared: ComparedCheck): Promise<Judgement> {
  const replacements = await asJudged(scene.place, compared);
  if (replacements === null) return { result: "open", detail: NOT_KEPT, output: null };
  const run = await runInRoom(scene, named, replacements);
  if ("why" in run) return { result: "open", detail: run.why, output: null };
  const judged = judge(scene, named, run.outcome);
  return { ...judged, output: judged.result === "fails" ? tailOf(run.outcome) : null };
}

function judge(scene: ProofScene, named: NamedCheck, { ending, output }: CommandOutcome): Shown {
  const report = readTestReport(output);
  if (ending.type !== "exited" || CANNOT_RUN.has(ending.code))
    return { result: "open", detail: `${COULD_NOT}: it ${describeEnding(ending)}` };
  if (ending.code === 0) {
    const { clear, unclear } = shortfallOfBaseline(comparedOf(scene, named), report);
    return clear === null ? { result: "stands", detail: unclear } : { result: "fails", detail: clear };
  }
  if (hasRunNothing(report, scene.reports.get(named.name) ?? null))
    return { result: "open", detail: COULD_NOT };
  return { result: "fails", detail: describeEnding(ending) };
}

/** The revert: the current tests with the source of the opening. Red means that the check notices the work. */
export async function showRevert(scene: ProofScene, named: NamedCheck): Promise<ShownProof> {
  return proofOf("revert", named.name, await revert(scene, named));
}

async function revert(scene: ProofScene, named: NamedCheck): Promise<Shown> {
  const { name } = named;
  const compared = comparedOf(scene, named);
  const replacements = await asReverted(scene.place, scene.comparison, compared);
  const within = uncomparedIn(scene);
  if (replacements === null)
    return within === null
      ? { result: "fails", detail: "no source changed since the opening" }
      : { result: "open", detail: within };
  const title = `${name} without the work`;
  scene.site.progress.checkBegins(title);
  const run = await runInRoom(scene, named, replacements);
  scene.site.progress.checkEnds(title, "outcome" in run && run.outcome.ending.type === "exited");
  if ("why" in run) return { result: "open", detail: run.why };
  const { ending, output } = run.outcome;
  // A check that hung before the work may hang without it.
  const hungBefore = ending.type === "timed-out" && compared.baseline.start?.exitCode === null;
  if (!hungBefore && (ending.type !== "exited" || CANNOT_RUN.has(ending.code)))
    return { result: "open", detail: `it could not be run without the work: it ${describeEnding(ending)}` };
  if (hasPassed(run.outcome))
    return within === null
      ? { result: "fails", detail: "it also passes without the work" }
      : { result: "open", detail: `it also passes without the work, but ${within}` };
  if (restsOnNewTests(compared) && hasRunNothing(readTestReport(output), scene.reports.get(name) ?? null))
    return {
      result: "open",
      detail: "its new tests cannot even be loaded without it, so whether they notice it is unknown",
    };
  return { result: "stands", detail: null };
}

/** The opening keeps the files of the repository alone, so a revert leaves those of a nested one as they are. */
function uncomparedIn({ reading }: ProofScene): string | null {
  const [nested] = reading?.tree?.nested ?? [];
  if (nested === undefined) return null;
  return `work inside a submodule (${oneLine(toText(nested), 80)}) isn't compared with the opening`;
}

/** Whether only the agent's own tests could notice the work: the opening's tests did not fail before, or there were none. */
function restsOnNewTests({ baseline, changes }: ComparedCheck): boolean {
  const hadTests = baseline.meaning?.definitions.some(
    ({ kind, digest }) => kind === "test" && digest !== null,
  );
  const failedBefore = baseline.start?.passed === false && hadTests === true;
  return !failedBefore && changes.some(({ kind, change }) => kind === "test" && change !== "removed");
}
