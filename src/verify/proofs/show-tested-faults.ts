import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describeCheck } from "../../core/loop/criterion.ts";
import type { ShownProof } from "../../core/loop/proof.ts";
import { listed } from "../../core/listed.ts";
import { asksForFewerTests } from "../../core/spec/asked-changes.ts";
import { hasPassed } from "../checks/check-site.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import { asJudged } from "../baseline/replacements.ts";
import type { ReplacedFile } from "../baseline/replacements.ts";
import { nameOf } from "../definitions/project-files.ts";
import { isCode } from "../definitions/test-files.ts";
import { kindOf } from "../definitions/tools/tools.ts";
import type { CommandOutcome } from "../../system/process/run-command.ts";
import { readTestReport } from "../reports/read-test-report.ts";
import type { TestReport } from "../reports/test-report.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { namesFile } from "../violations/suppressions.ts";
import { chosenFaults } from "../faults/choose-faults.ts";
import type { ChosenFault } from "../faults/choose-faults.ts";
import { runBounded } from "./bounded-run.ts";
import { faultyFiles } from "./faulty-files.ts";
import type { SourceOnDisk } from "./faulty-files.ts";
import { noticingOf } from "./faulty-run.ts";
import { comparedOf } from "./proof-site.ts";
import type { SampleScene } from "./proof-site.ts";
import { namedFirst, testedSources } from "./tested-sources.ts";

type Shown = Pick<ShownProof, "result" | "detail">;

const MOST_FAULTS = 6;
/** Of them, those are tried that tests name. */
const MOST_CHOSEN = 200;

const MOST_NAMED = 3;

const UNNOTICED = "no fault was found that the new tests notice in what they are about";

const ONLY_CRASHES = "the new tests call what they are about and don't look at what it gives";

const LESS = "the tests as they are now notice less than those before";

/**
 * Where tests are the work: new ones have to notice a fault in the source they are about, and those
 * that were asked to be changed have to notice what they did. null: something else is the work, or it is unknown what they are
 * about.
 */
export async function showTestedFaults(
  scene: SampleScene,
  checks: readonly NamedCheck[],
): Promise<Shown | null> {
  const { comparison } = scene;
  if (comparison.changes.isWorkThere) return null;
  for (const named of checks) {
    const compared = comparedOf(scene, named);
    const tests = compared.changes.filter(({ kind, change }) => kind === "test" && change !== "removed");
    const isAsked = comparison.wantsTests || compared.judged.length < compared.changes.length;
    if (tests.length === 0 || !isAsked) continue;
    const left = leftAlone(scene, named);
    if (left !== null) return { result: "fails", detail: left };
    const paths = tests.map(({ path }) => path);
    const tested = await testedSources(scene, paths);
    const { sources } = tested;
    const faults = namedFirst(tested, chosenFaults(sources, MOST_CHOSEN, { keepsTypes: true })).slice(
      0,
      MOST_FAULTS,
    );
    // Tests that were moved to another runner only run with how they were run.
    const reverted = comparison.wantsTests ? tests : compared.changes;
    const without = await asJudged(scene.place, { ...compared, judged: reverted });
    if (faults.length === 0 || without === null) continue;
    const tried = { sources, faults, without };
    return comparison.wantsTests ? tryEach(scene, named, tried) : tryKept(scene, named, tried);
  }
  return null;
}

/**
 * Where only tests changed that passed before, no run shows that the work isn't there. A source that the spec names, and that is as
 * it was, says so.
 */
function leftAlone({ comparison, spec }: SampleScene, { name, check }: NamedCheck): string | null {
  const wasGreen = comparison.changes.checks.get(name)?.before === "green";
  if (!wasGreen || comparison.wantsTests || asksForFewerTests(spec)) return null;
  const asked = spec.replaceAll(describeCheck(check), " ");
  const named = [...comparison.now.keys()].filter(
    (path) => isCode(path) && kindOf(path) === "source" && namesFile(asked, path),
  );
  return named.length === 0 ? null : `only tests changed, not ${listed(named, MOST_NAMED)}`;
}

interface Tried {
  readonly sources: readonly SourceOnDisk[];
  readonly faults: readonly ChosenFault[];
  /** The tests as they were. */
  readonly without: readonly ReplacedFile[];
}

async function tryEach(
  scene: SampleScene,
  named: NamedCheck,
  { sources, faults, without }: Tried,
): Promise<Shown> {
  const own = scene.reports.get(named.name) ?? null;
  let tried = 0;
  let isNoticed = false;
  const missed: ChosenFault[] = [];
  for (const fault of valuesFirst(faults)) {
    if (tried > 0 && scene.budget.leftMs() <= 0) break;
    const faulty = faultyFiles(sources, [fault]);
    const now = await runBounded(scene, named, faulty);
    if ("why" in now) return { result: "open", detail: now.why };
    tried += 1;
    const noticing = noticingOf(now.outcome, own);
    if (noticing === "unnoticed" && VALUES.has(fault.kind)) missed.push(fault);
    if (noticing !== "noticed") continue;
    const before = await runBounded(scene, named, [...without, ...faulty]);
    if ("why" in before) continue;
    if (!failsMore(now.outcome, before.outcome) && (await wasNoticed(scene, named, before.outcome, fault)))
      continue;
    isNoticed = true;
    if (VALUES.has(fault.kind) || missed.length < ENOUGH_MISSED) return { result: "stands", detail: null };
  }
  if (!isNoticed) return { result: "fails", detail: UNNOTICED };
  return { result: "fails", detail: `${ONLY_CRASHES}: ${placesOf(missed)}` };
}

/** Faults in what a function gives: tests that only call it notice none of them. */
const VALUES: ReadonlySet<ChosenFault["kind"]> = new Set(["arithmetic", "returned", "number", "text"]);
const ENOUGH_MISSED = 2;

function valuesFirst(faults: readonly ChosenFault[]): readonly ChosenFault[] {
  return [
    ...faults.filter(({ kind }) => VALUES.has(kind)),
    ...faults.filter(({ kind }) => !VALUES.has(kind)),
  ];
}

function placesOf(faults: readonly ChosenFault[]): string {
  return listed(
    faults.map(({ path, line }) => `line ${line} of ${oneLine(path, 80)}`),
    MOST_NAMED,
  );
}

/** Whether more tests fail than without the new ones, so that one of those does. */
function failsMore(now: CommandOutcome, before: CommandOutcome): boolean {
  const [report, old] = [readTestReport(now.output), readTestReport(before.output)];
  if (report === null || old === null || report.unit !== "tests" || report.errors > old.errors) return false;
  return old.executed > 0 && report.failed > old.failed && report.executed > old.executed;
}

/** Each fault that the tests before noticed is to be noticed now, too. */
async function tryKept(
  scene: SampleScene,
  named: NamedCheck,
  { sources, faults, without }: Tried,
): Promise<Shown> {
  const own = scene.reports.get(named.name) ?? null;
  let noticed = 0;
  for (const fault of faults) {
    if (noticed > 0 && scene.budget.leftMs() <= 0) break;
    const faulty = faultyFiles(sources, [fault]);
    const before = await runBounded(scene, named, [...without, ...faulty]);
    if ("why" in before) return { result: "open", detail: before.why };
    if (noticingOf(before.outcome, own) !== "noticed") continue;
    const now = await runBounded(scene, named, faulty);
    if ("outcome" in now && noticingOf(now.outcome, own) === "unnoticed")
      return { result: "open", detail: `${LESS}: line ${fault.line} of ${oneLine(fault.path, 80)}` };
    noticed += 1;
  }
  return noticed === 0 ? { result: "open", detail: UNNOTICED } : { result: "stands", detail: null };
}

/**
 * Whether the tests as they were notice a fault. The check may fail without the new ones in any case: a coverage to reach. If it
 * doesn't even get to its tests, those that were there notice what they mention.
 */
async function wasNoticed(
  scene: SampleScene,
  named: NamedCheck,
  outcome: CommandOutcome,
  { path }: ChosenFault,
): Promise<boolean> {
  if (hasPassed(outcome)) return false;
  const report = readTestReport(outcome.output);
  if (report !== null && report.executed > 0) return report.failed + report.errors > 0;
  const { definitions, changes } = comparedOf(scene, named);
  if (changes.some(({ kind, change }) => kind === "test" && change === "changed")) return true;
  const added = new Set(changes.map((each) => each.path));
  const tests = definitions.filter(({ kind, digest }) => kind === "test" && digest !== null);
  const texts = await Promise.all(
    tests.map(async (test): Promise<TestText> => {
      const text = await readFile(join(scene.place.root, test.path), "utf8").catch(() => "");
      return { path: test.path, text, isNew: added.has(test.path) };
    }),
  );
  const stem = nameOf(path).replace(/\.\w+$/, "");
  const mentioning = texts.filter(({ text, isNew }) => !isNew && text.includes(stem));
  return mentioning.length > 0 && !runsOnlyNew(scene.reports.get(named.name) ?? null, texts);
}

interface TestText {
  readonly path: string;
  readonly text: string;
  readonly isNew: boolean;
}

/** Whether every test that ran is written in a new file, and in no other. */
function runsOnlyNew(report: TestReport | null, texts: readonly TestText[]): boolean {
  const names = report?.names ?? [];
  return (
    names.length > 0 &&
    names.every((name) => {
      const title = name.split(" > ").at(-1) ?? name;
      const having = texts.filter(({ text }) => isTitleIn(text, title));
      return having.length > 0 && having.every(({ isNew }) => isNew);
    })
  );
}

/** In quotes, or as the name of a function. */
function isTitleIn(text: string, title: string): boolean {
  if (["'", '"', "`"].some((quote) => text.includes(`${quote}${title}${quote}`))) return true;
  return (
    /^\w+$/.test(title) &&
    new RegExp(String.raw`\b(?:def|func|fn|fun|function|void|sub)\s+${title}\b`).test(text)
  );
}
