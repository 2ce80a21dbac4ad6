import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { wordsOf } from "../definitions/renames/tokens.ts";
import { describeEnding, hasPassed } from "../checks/check-site.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import type { ShownProof } from "../../core/loop/proof.ts";
import { nameOfDefinition, type DefinitionChange } from "../definitions/definition.ts";
import type { ComparedCheck } from "../baseline/compare.ts";
import { isCode } from "../definitions/test-files.ts";
import { CANNOT_RUN, shortfallOfBaseline } from "../baseline/shortfalls.ts";
import { followedTests } from "../baseline/followed-tests.ts";
import { asJudged, asReverted, withEmptied, withoutNewCases, withRemoved } from "../baseline/replacements.ts";
import type { ReplacedFile } from "../baseline/replacements.ts";
import type { CommandOutcome } from "../../system/process/run-command.ts";
import { readTestReport } from "../reports/read-test-report.ts";
import { hasRunNothing } from "../reports/compare-reports.ts";
import type { TestReport } from "../reports/test-report.ts";
import { comparedOf, proofOf, ranAs, runInRoom, type ProofScene } from "./proof-site.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { toText } from "../../system/tree/index-entries.ts";

const NOT_KEPT = "its definition could not be kept at the opening";

const COULD_NOT = "the original tests could not run with the current work";

const UNDER_NEW_NAMES = ", and they don't pass under its new names either";

/** The opening's judge: the current work with the original tests. */
export async function showBaselineCheck(scene: ProofScene, named: NamedCheck): Promise<ShownProof> {
  const { name } = named;
  const compared = comparedOf(scene, named);
  const files = namedFirst(compared.judged).map(
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
type Judgement = Shown & Pick<ShownProof, "output" | "ran">;

/** What is built changes with what it is built from, and isn't worth a word beside that. */
function namedFirst(judged: readonly DefinitionChange[]): readonly DefinitionChange[] {
  const others = judged.filter(({ kind }) => kind !== "built");
  return others.length === 0 ? judged : others;
}

/**
 * Inputs may be the work, and what is built may be something that the check doesn't build. So if only they make it fail, a person
 * has to decide.
 */
async function judgeWithInputs(
  scene: ProofScene,
  named: NamedCheck,
  compared: ComparedCheck,
): Promise<Judgement> {
  const isUnclear = ({ kind }: DefinitionChange): boolean => kind === "input" || kind === "built";
  const unclear = compared.judged.filter(isUnclear);
  const others = compared.judged.filter((each) => !isUnclear(each));
  const judged = await judgeWith(scene, named, compared);
  if (judged.result !== "fails" || unclear.length === 0) return judged;
  const without = others.length === 0 ? null : await judgeWith(scene, named, { ...compared, judged: others });
  if (without !== null && without.result !== "stands") return without;
  // Where tests are asked for, a script that the check runs is where they are.
  const isWritten = ({ kind, path, change }: DefinitionChange): boolean =>
    kind === "input" && change === "changed" && isCode(path);
  if (scene.comparison.wantsTests && unclear.every(isWritten))
    return { result: "stands", detail: null, output: null };
  return { result: "open", detail: withoutUnclear(unclear), output: null };
}

function withoutUnclear(unclear: readonly DefinitionChange[]): string {
  const inputs = unclear.filter(({ kind }) => kind === "input");
  const names = (inputs.length > 0 ? inputs : unclear).map(nameOfDefinition).join(", ");
  return inputs.length > 0
    ? `it fails with ${names} as at the opening; look whether that change is the work, or bends the check`
    : `it passes with ${names} as built now, and fails when a clean room has to build it again`;
}

/** Tests that may change are as they are now, unless all that there were pass: those that only moved would be left out. */
async function judgeWith(scene: ProofScene, named: NamedCheck, compared: ComparedCheck): Promise<Judgement> {
  const judged = await judgeFollowed(scene, named, compared);
  const isWhole = compared.changes.every(({ kind, change }) => kind !== "test" || change !== "removed");
  if (judged.result === "stands" || isWhole || compared.judged.length === compared.changes.length)
    return judged;
  const all = await judgeFollowed(scene, named, { ...compared, judged: compared.changes });
  return all.result === "stands" ? all : judged;
}

async function judgeFollowed(
  scene: ProofScene,
  named: NamedCheck,
  compared: ComparedCheck,
): Promise<Judgement> {
  const replacements = await asJudged(scene.place, compared);
  if (replacements === null) return { result: "open", detail: NOT_KEPT, output: null };
  const judged = await judgeIn(scene, named, replacements);
  if (judged.result === "stands") return judged;
  const followed = await followedTests(scene.place, scene.comparison, compared, replacements);
  const restored = await withRemoved(scene.place, scene.comparison, compared, replacements);
  const emptied = withEmptied(scene.place, compared, replacements);
  const older = await withoutNewCases(scene.place, scene.comparison, compared, replacements);
  for (const each of [...emptied, ...restored, ...older, ...followed]) {
    const again = await judgeIn(scene, named, each);
    if (again.result === "stands") return again;
  }
  return followed.length === 0 || judged.result === "fails"
    ? judged
    : { ...judged, detail: `${judged.detail ?? COULD_NOT}${UNDER_NEW_NAMES}` };
}

async function judgeIn(
  scene: ProofScene,
  named: NamedCheck,
  replacements: readonly ReplacedFile[],
): Promise<Judgement> {
  const run = await runInRoom(scene, named, replacements);
  if ("why" in run) return { result: "open", detail: run.why, output: null };
  const judged = judge(scene, named, run.outcome);
  const { ending } = run.outcome;
  // Where the original tests pass and only too few of them ran, no line of the output says what is wrong.
  const isRed = judged.result === "fails" && !(ending.type === "exited" && ending.code === 0);
  if (!isRed) return { ...judged, output: null };
  // Files are quoted as the project names them.
  const output = run.outcome.output.replaceAll(`${scene.place.root}/`, "");
  const ran = ranAs(named, { ...run.outcome, output });
  return { ...judged, output: ran.output, ran };
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
  if (isForNewTests(scene, named, report)) return { result: "stands", detail: null };
  return { result: "fails", detail: describeEnding(ending) };
}

/**
 * Where tests are the work, a check may ask for more of them than there were: a coverage to reach. Then it is enough that all
 * original tests ran and passed.
 */
function isForNewTests(scene: ProofScene, named: NamedCheck, report: TestReport | null): boolean {
  const compared = comparedOf(scene, named);
  if (!scene.comparison.wantsTests || compared.judged.some(({ kind }) => kind !== "test")) return false;
  if (compared.baseline.start?.report == null || report === null || report.failed + report.errors > 0)
    return false;
  const { clear, unclear } = shortfallOfBaseline(compared, report);
  return report.passed > 0 && clear === null && unclear === null;
}

/** The revert: the current tests with the source of the opening. Red means that the check notices the work. */
export async function showRevert(scene: ProofScene, named: NamedCheck): Promise<ShownProof> {
  return proofOf("revert", named.name, await revert(scene, named));
}

async function revert(scene: ProofScene, named: NamedCheck): Promise<Shown> {
  const { name } = named;
  const compared = comparedOf(scene, named);
  const source = await asReverted(scene.place, scene.comparison, compared);
  const replacements = source ?? (await testsReverted(scene, compared));
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
  const hasLoaded = !hasRunNothing(readTestReport(output), scene.reports.get(name) ?? null);
  if (restsOnNewTests(compared) && !hasLoaded && !(await isFollowed(scene, compared)))
    return {
      result: "open",
      detail: "its new tests cannot even be loaded without it, so whether they notice it is unknown",
    };
  if (source === null && !(await keepWords(scene, replacements)))
    return { result: "open", detail: "its tests are the work, and they no longer do all that they did" };
  return { result: "stands", detail: null };
}

/** Whether tests still have every name that they had, and so can differ in values alone, or in what was added. */
async function keepWords({ place }: ProofScene, tests: readonly ReplacedFile[]): Promise<boolean> {
  for (const { path, content } of tests) {
    if (content === null) continue;
    const now = await readFile(join(place.root, path), "utf8").catch(() => "");
    const words = wordsOf(path, now);
    if ([...wordsOf(path, content.toString("utf8"))].some((word) => !words.has(word))) return false;
  }
  return true;
}

/** Where no source changed and the spec asks for tests, or lets them change, the tests are the work. */
async function testsReverted(
  { place, comparison }: ProofScene,
  compared: ComparedCheck,
): Promise<readonly ReplacedFile[] | null> {
  const tests = compared.changes.filter(({ kind }) => kind === "test");
  const isAsked = comparison.wantsTests || compared.judged.length < compared.changes.length;
  return tests.length === 0 || !isAsked ? null : asJudged(place, { ...compared, judged: tests });
}

/** Whether the changed tests are the original ones under new names, which only the work has. */
async function isFollowed({ place, comparison }: ProofScene, compared: ComparedCheck): Promise<boolean> {
  const judged = await asJudged(place, compared);
  return judged !== null && (await followedTests(place, comparison, compared, judged)).length > 0;
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
