import { hasPassed } from "../checks/check-site.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import type { CheckChanges, ShownProof } from "../../core/loop/proof.ts";
import { describeCheck } from "../../core/loop/criterion.ts";
import { listed } from "../../core/listed.ts";
import { filesBeforeAndNow } from "../baseline/kept-files.ts";
import { isProse } from "../../core/spec/goes-along.ts";
import { asReverted, type ReplacedFile } from "../baseline/replacements.ts";
import type { DefinitionKind } from "../definitions/definition.ts";
import { isCode } from "../definitions/test-files.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { idleCode } from "./idle-code.ts";
import { shareOf, type ProofBudget } from "./proof-budget.ts";
import { comparedOf, proofOf, runInRoom, type SampleScene } from "./proof-site.ts";
import { sortChanges, type SortedChanges } from "./subjects.ts";
import { answersOnlyTests } from "./tested-inputs.ts";
import { unnoticedModule } from "./unnoticed-module.ts";

const UNTRIED = "the time for proofs was over before each changed file could be taken back";
const UNTRIABLE = "no changed file could be taken back to see whether a check fails without it";
const SEVERAL = "no changed file was found without which alone a check fails";

/**
 * The changed files without which a check fails; and whether the work is about them. `isSure`: the checks pass again on the same
 * files, wherever they are. `isUnnoticed`: no check notices faults in any of the work, so no part of it has to be tried for that.
 */
export async function showCauses(
  scene: SampleScene,
  checks: readonly NamedCheck[],
  { isSure, isUnnoticed }: { readonly isSure: boolean; readonly isUnnoticed: boolean },
): Promise<ShownProof> {
  const steady = checks.filter(({ name }) => changesOf(scene, name)?.altersFiles === false);
  const turned = steady.filter(({ name }) =>
    ["red", "unrun"].includes(changesOf(scene, name)?.before ?? "unknown"),
  );
  const looking = turned.length > 0 ? turned : steady;
  const [first] = looking;
  if (first === undefined) return proofOf("causes", null, { result: "open" });
  const changed = await asReverted(scene.place, scene.comparison, comparedOf(scene, first));
  if (changed === null) return proofOf("causes", null, { result: "open" });
  const known: Search = { scene, checks: looking, changed, fails: new Map(), noRoom: null };
  const foreign = turned.length > 0 ? ((await accusation(known)) ?? (await idleCode(scene, turned))) : null;
  const accused = foreign ?? (isUnnoticed ? null : await unnoticedModule(scene, steady));
  if (accused !== null) return proofOf("causes", null, accused);
  const [only, ...others] = changed;
  // What failed before passes because of the only thing that changed.
  if (only !== undefined && others.length === 0 && turned.length > 0 && isSure)
    known.fails.set(only.path, true);
  const causes = await namedCauses(known);
  return proofOf("causes", null, (await answersOnlyTests(scene, turned)) ?? causes);
}

function changesOf({ comparison }: SampleScene, name: string): CheckChanges | undefined {
  return comparison.changes.checks.get(name);
}

interface Search {
  readonly scene: SampleScene;
  /** Those that turned green; where none did, all. */
  readonly checks: readonly NamedCheck[];
  /** The changed source files as they were. */
  readonly changed: readonly ReplacedFile[];
  /** By file: whether a check fails without its change. */
  readonly fails: Map<string, boolean>;
  /** Why something could not be tried, other than for lack of time. */
  noRoom: string | null;
}

type Shown = Pick<ShownProof, "result" | "detail" | "files">;

/** Everything that the work can be about is taken back at once: what then still passes does so for another reason. */
async function accusation(search: Search): Promise<Shown | null> {
  const sorted = await sortedChanges(search);
  if (sorted === null || !sorted.foreign.some(mayDecide)) return null;
  const { own, foreign, subjects } = sorted;
  if (own.length === 0) {
    // Nothing was taken back, so only a file that the spec itself names says where the work belongs.
    return sorted.isAsked && foreign.some(isCode) ? accusing(foreign, subjects) : null;
  }
  const isRed = await failsWithout(search, own, search.scene.budget);
  return isRed === false ? accusing(foreign, subjects) : null;
}

function accusing(foreign: readonly string[], subjects: readonly string[]): Shown {
  const files = foreign.filter(mayDecide);
  return { result: "fails", detail: `it passes because of ${named(files)}, not ${named(subjects)}`, files };
}

const MOST_NAMED = 3;

function named(files: readonly string[]): string {
  return listed(
    files.map((file) => oneLine(file, 120)),
    MOST_NAMED,
  );
}

const LOCK = /(?:^|\/)(?:[\w.-]*lock(?:\.\w+)?|go\.sum|\.gitignore|\.gitattributes)$/i;

function mayDecide(path: string): boolean {
  return !isProse(path) && !LOCK.test(path);
}

async function sortedChanges({ scene, checks, changed }: Search): Promise<SortedChanges | null> {
  const { place, comparison, spec } = scene;
  const compared = checks.map((each) => comparedOf(scene, each));
  // A linter looks at every file alike.
  const [first] = compared;
  const isLinter = ({ name }: NamedCheck): boolean => changesOf(scene, name)?.judgesSource === true;
  if (first === undefined || checks.some(isLinter)) return null;
  const tests = checks.flatMap((each) => judgesOf(scene, each));
  const paths = changed.map(({ path }) => path);
  // The check's own line names what it runs, not what is to be done.
  const asked = checks.reduce((text, { check }) => text.replaceAll(describeCheck(check), " "), spec);
  const files = await filesBeforeAndNow(place, first.baseline.kept, comparison.now);
  return sortChanges(files, paths, { spec: asked, tests: [...new Set(tests)] });
}

/** The files whose code judges: tests, or the scripts that a check without a runner runs. */
function judgesOf(scene: SampleScene, named: NamedCheck): readonly string[] {
  const judging = comparedOf(scene, named).definitions.filter(
    ({ part, digest, path }) => part === null && digest !== null && isCode(path),
  );
  const ofKind = (wanted: DefinitionKind): readonly string[] =>
    judging.filter(({ kind }) => kind === wanted).map(({ path }) => path);
  const scripts = ofKind("script");
  const isRunner = (scene.reports.get(named.name) ?? null) !== null || scripts.length === 0;
  return isRunner ? [...scripts, ...ofKind("test")] : scripts;
}

/** At most this long, or half as long as the checks take: names are good to have, and decide nothing. */
const NAMING_MS = 5_000;
const MOST_TRIED = 12;

async function namedCauses(search: Search): Promise<Shown> {
  const { scene, changed, fails } = search;
  const { budget, site } = scene;
  const share = shareOf(budget, site.now, Math.max(NAMING_MS, budget.checksMs / 2));
  const candidates = changed
    .map(({ path }) => path)
    .filter(mayDecide)
    .toSorted((one, other) => Number(isCode(other)) - Number(isCode(one)))
    .slice(0, MOST_TRIED);
  for (const path of candidates) if (!fails.has(path)) await failsWithout(search, [path], share);
  const files = changed
    .map(({ path }) => path)
    .filter((path) => fails.get(path) === true)
    .toSorted();
  if (files.length > 0) return { result: "stands", detail: null, files };
  const isTried = candidates.every((path) => fails.has(path));
  const untried = search.noRoom === null ? UNTRIED : `${UNTRIABLE}: ${search.noRoom}`;
  return { result: "open", detail: isTried ? SEVERAL : untried, files: [] };
}

/** Whether a check fails without these changes; null: it could not be tried. */
async function failsWithout(
  search: Search,
  paths: readonly string[],
  budget: ProofBudget,
): Promise<boolean | null> {
  const { scene, checks, changed, fails } = search;
  const replacements = changed.filter(({ path }) => paths.includes(path));
  const [single = "", ...more] = paths;
  const title = `without ${more.length === 0 ? oneLine(single, 60) : `${paths.length} of the changed files`}`;
  scene.site.progress.checkBegins(title);
  let isRed: boolean | null = false;
  for (const named of checks) {
    // A sample that would outlast the budget doesn't begin.
    if (budget.leftMs() < budget.checksMs) isRed = null;
    else {
      const run = await runInRoom(scene, named, replacements);
      if ("why" in run) search.noRoom ??= run.why;
      if ("why" in run || run.outcome.ending.type !== "exited") isRed = null;
      else if (!hasPassed(run.outcome)) isRed = true;
    }
    if (isRed !== false) break;
  }
  scene.site.progress.checkEnds(title, isRed === true);
  if (isRed !== null && more.length === 0) fails.set(single, isRed);
  return isRed;
}
