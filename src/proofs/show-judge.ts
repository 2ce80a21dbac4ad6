import { describeEnding } from "../checks/evidence.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import type { ShownProof } from "../core/proof.ts";
import { nameOfDefinition } from "../meaning/definition-lines.ts";
import { CANNOT_RUN, shortfallOfJudge } from "../openings/compare.ts";
import { asJudged } from "../openings/replacements.ts";
import type { CommandOutcome } from "../process/run-command.ts";
import { readTestReport } from "../test-reports/read-test-report.ts";
import { hasRunNothing } from "./ran-nothing.ts";
import type { ProofScene } from "./scene.ts";
import { comparedOf, proofOf, runInRoom, tailOf } from "./scene.ts";

const NOT_KEPT = "its definition could not be kept at the opening";
const COULD_NOT = "the tests and definitions of the opening could not run with the current work";

/** The opening's judge: the current work with the tests and definitions of the opening. */
export async function showJudge(scene: ProofScene, named: NamedCheck): Promise<ShownProof> {
  const { name } = named;
  const compared = comparedOf(scene, named);
  const files = compared.judged.map(
    (each) => `${nameOfDefinition(each)}${each.change === "changed" ? "" : ` (${each.change})`}`,
  );
  const gone = compared.judged.filter(({ kind }) => kind === "inline");
  if (gone.length > 0) {
    const detail = "tests inside source files are gone or skipped";
    return proofOf("judge", name, { result: "fails", detail, files });
  }
  const replacements = await asJudged(scene.place, compared);
  if (replacements === null) return proofOf("judge", name, { result: "open", detail: NOT_KEPT, files });
  scene.site.progress.checkBegins(`${name} with the tests of the opening`);
  const run = await runInRoom(scene, named, replacements);
  const judged =
    "why" in run ? { result: "open" as const, detail: run.why } : judge(scene, named, run.outcome);
  scene.site.progress.checkEnds(`${name} with the tests of the opening`, judged.result === "stands");
  const output = "outcome" in run && judged.result === "fails" ? tailOf(run.outcome) : null;
  return proofOf("judge", name, { ...judged, files, output });
}

function judge(
  scene: ProofScene,
  named: NamedCheck,
  outcome: CommandOutcome,
): Pick<ShownProof, "result" | "detail"> {
  const { opening } = comparedOf(scene, named);
  const report = readTestReport(outcome.output);
  const { ending } = outcome;
  if (ending.type !== "exited" || CANNOT_RUN.has(ending.code))
    return { result: "open", detail: `${COULD_NOT}: it ${describeEnding(ending)}` };
  if (ending.code === 0) {
    const { clear, unclear } = shortfallOfJudge(opening, report);
    return clear === null ? { result: "stands", detail: unclear } : { result: "fails", detail: clear };
  }
  if (hasRunNothing(report, scene.reports.get(named.name) ?? null))
    return { result: "open", detail: COULD_NOT };
  return { result: "fails", detail: describeEnding(ending) };
}
