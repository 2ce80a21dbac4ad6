import { describeEnding } from "../checks/evidence.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import type { ShownProof } from "../../core/loop/proof.ts";
import { nameOfDefinition } from "../definitions/definition-lines.ts";
import type { ComparedCheck } from "../baseline/compare.ts";
import { CANNOT_RUN, shortfallOfJudge } from "../baseline/compare.ts";
import { asJudged } from "../baseline/replacements.ts";
import type { CommandOutcome } from "../../system/process/run-command.ts";
import { readTestReport } from "../reports/read-test-report.ts";
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
  const title = `${name} with the tests of the opening`;
  scene.site.progress.checkBegins(title);
  const judged = await judgeWithInputs(scene, named, compared);
  scene.site.progress.checkEnds(title, judged.result === "stands");
  return proofOf("judge", name, { ...judged, files });
}

type Judgement = Pick<ShownProof, "result" | "detail" | "output">;

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

function judge(
  scene: ProofScene,
  named: NamedCheck,
  outcome: CommandOutcome,
): Pick<ShownProof, "result" | "detail"> {
  const report = readTestReport(outcome.output);
  const { ending } = outcome;
  if (ending.type !== "exited" || CANNOT_RUN.has(ending.code))
    return { result: "open", detail: `${COULD_NOT}: it ${describeEnding(ending)}` };
  if (ending.code === 0) {
    const { clear, unclear } = shortfallOfJudge(comparedOf(scene, named), report);
    return clear === null ? { result: "stands", detail: unclear } : { result: "fails", detail: clear };
  }
  if (hasRunNothing(report, scene.reports.get(named.name) ?? null))
    return { result: "open", detail: COULD_NOT };
  return { result: "fails", detail: describeEnding(ending) };
}
