import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ShownProof } from "../../core/loop/proof.ts";
import { hasPassed } from "../checks/check-site.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import { asJudged } from "../baseline/replacements.ts";
import type { ReplacedFile } from "../baseline/replacements.ts";
import { nameOf } from "../definitions/project-files.ts";
import { importStatements } from "../definitions/renames/import-statements.ts";
import { modulesAmong } from "../definitions/renames/modules.ts";
import { isCode, mayCount } from "../definitions/test-files.ts";
import { kindOf } from "../definitions/tools/tools.ts";
import type { CommandOutcome } from "../../system/process/run-command.ts";
import { readTestReport } from "../reports/read-test-report.ts";
import { chosenFaults } from "../faults/choose-faults.ts";
import type { ChosenFault } from "../faults/choose-faults.ts";
import { faultyFiles, readSource } from "./faulty-files.ts";
import type { SourceOnDisk } from "./faulty-files.ts";
import { noticingOf } from "./faulty-run.ts";
import { comparedOf, runInRoom } from "./proof-site.ts";
import type { SampleScene } from "./proof-site.ts";

type Shown = Pick<ShownProof, "result" | "detail">;

const MOST_FAULTS = 6;
const MOST_SOURCES = 20;

const UNNOTICED = "the new tests notice no fault in what they are about that wasn't noticed before";

/**
 * Where tests are the work: they have to notice a fault in the source they are about that nothing noticed before. null: something
 * else is the work, or it is unknown what they are about.
 */
export async function showTestedFaults(
  scene: SampleScene,
  checks: readonly NamedCheck[],
): Promise<Shown | null> {
  const { comparison } = scene;
  if (!comparison.wantsTests || comparison.changes.isWorkThere) return null;
  for (const named of checks) {
    const compared = comparedOf(scene, named);
    const tests = compared.changes.filter(({ kind, change }) => kind === "test" && change !== "removed");
    if (tests.length === 0) continue;
    const paths = tests.map(({ path }) => path);
    const sources = await testedSources(scene, paths);
    const faults = namedFirst(
      scene,
      sources,
      chosenFaults(sources, MOST_FAULTS * 4, { keepsTypes: true }),
    ).slice(0, MOST_FAULTS);
    const without = await asJudged(scene.place, { ...compared, judged: tests });
    if (faults.length === 0 || without === null) continue;
    return tryEach(scene, named, { sources, faults, without });
  }
  return null;
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
  for (const fault of faults) {
    if (tried > 0 && scene.budget.leftMs() <= 0) break;
    const faulty = faultyFiles(sources, [fault]);
    const now = await runInRoom(scene, named, faulty, { isFaithfulOnly: true });
    if ("why" in now) return { result: "open", detail: now.why };
    tried += 1;
    if (noticingOf(now.outcome, own) !== "noticed") continue;
    const before = await runInRoom(scene, named, [...without, ...faulty], { isFaithfulOnly: true });
    if ("outcome" in before && !(await wasNoticed(scene, named, before.outcome, fault)))
      return { result: "stands", detail: null };
  }
  return { result: "fails", detail: UNNOTICED };
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
  const changed = new Set(changes.map((each) => each.path));
  const stem = nameOf(path).replace(/\.\w+$/, "");
  for (const test of definitions.filter(({ kind, digest }) => kind === "test" && digest !== null)) {
    const text = await readFile(join(scene.place.root, test.path), "utf8").catch(() => "");
    if (!changed.has(test.path) && text.includes(stem)) return true;
  }
  return changes.some(({ kind, change }) => kind === "test" && change === "changed");
}

/** What the spec names, else what the tests import. */
async function testedSources(
  { place, comparison, spec }: SampleScene,
  tests: readonly string[],
): Promise<readonly SourceOnDisk[]> {
  const isSource = (path: string): boolean => isCode(path) && mayCount(path) && kindOf(path) === "source";
  const named = [...comparison.now.keys()].filter((path) => isSource(path) && spec.includes(path));
  const paths =
    named.length > 0 ? named : await importedBy([...comparison.now.keys()], place.root, tests, isSource);
  const sources: SourceOnDisk[] = [];
  for (const path of paths.slice(0, MOST_SOURCES)) {
    const all = (text: string): ReadonlySet<number> => new Set(text.split("\n").map((_, index) => index + 1));
    const source = await readSource(place.root, path, all);
    if (source !== null) sources.push(source);
  }
  return sources;
}

async function importedBy(
  paths: readonly string[],
  root: string,
  tests: readonly string[],
  isSource: (path: string) => boolean,
): Promise<readonly string[]> {
  const modules = modulesAmong(paths);
  const found = new Set<string>();
  for (const test of tests) {
    const text = await readFile(join(root, test), "utf8").catch(() => "");
    for (const { module } of importStatements(test, text))
      for (const path of modules.find(module, test)) if (isSource(path)) found.add(path);
  }
  return [...found];
}

/** Faults in what the spec names come first: "tests for `first()`". */
function namedFirst(
  { spec }: SampleScene,
  sources: readonly SourceOnDisk[],
  faults: readonly ChosenFault[],
): readonly ChosenFault[] {
  const isNamed = ({ path, line }: ChosenFault): boolean => {
    const lines =
      sources
        .find((each) => each.path === path)
        ?.text.split("\n")
        .slice(0, line) ?? [];
    // The nearest line that begins something, and what it is called.
    const header = lines.findLast((each) => /^\S.*\w\s*\(/.test(each)) ?? "";
    return (header.match(/\w{3,}/g) ?? []).some(
      (word) => new RegExp(`\\b${word}\\b`).test(spec) && !KEYWORDS.has(word),
    );
  };
  return [...faults.filter(isNamed), ...faults.filter((each) => !isNamed(each))];
}

const KEYWORDS = new Set([
  "function",
  "export",
  "const",
  "async",
  "def",
  "func",
  "pub",
  "int",
  "void",
  "public",
  "static",
  "return",
  "string",
]);
