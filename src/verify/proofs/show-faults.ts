import type { NamedCheck } from "../checks/run-checks.ts";
import { NOTHING_EXECUTES } from "../../core/loop/proof.ts";
import type { ShownProof } from "../../core/loop/proof.ts";
import { listed } from "../../core/listed.ts";
import { chosenFaults } from "../faults/choose-faults.ts";
import type { ChosenFault } from "../faults/choose-faults.ts";
import { changedLines, linesOfChangedFunctions, withoutRenamed } from "../faults/changed-lines.ts";
import type { ComparedCheck } from "../baseline/compare.ts";
import { readKept } from "../baseline/kept-files.ts";
import { isCode } from "../definitions/test-files.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { faultyFiles, readSource } from "./faulty-files.ts";
import type { SourceOnDisk } from "./faulty-files.ts";
import { runBounded } from "./bounded-run.ts";
import { firstNoticing, noticingOf } from "./faulty-run.ts";
import type { Noticing } from "./faulty-run.ts";
import { showTestedFaults } from "./show-tested-faults.ts";
import { comparedOf, proofOf } from "./proof-site.ts";
import type { SampleScene } from "./proof-site.ts";

/** How many faults are put in at once. */
const MOST_TOGETHER = 60;
/** How many are tried one by one: enough to name what is not looked at. */
const MOST_ALONE = 8;
const MOST_FILES = 100;
const MOST_FILES_ALONE = 3;
const MOST_NAMED = 3;
/** What one by one must say as a whole where all at once says nothing. */
const ENOUGH_ALONE = 3;
/** How many may have what is left of the budget. */
const SHARES = 3;

type Shown = Pick<ShownProof, "result" | "detail">;

/** Small faults in the changed lines: some check has to notice them. */
export async function showFaults(scene: SampleScene, checks: readonly NamedCheck[]): Promise<ShownProof> {
  const { progress } = scene.site;
  const noticing = noticingChecks(scene, checks);
  const changed = noticing.length === 0 ? [] : await changedSources(scene, noticing);
  const tested = await showTestedFaults(scene, noticing);
  if (tested !== null) return proofOf("faults", null, tested);
  const isNew = hasPlaces(changed);
  const sources = isNew ? changed : changed.map((each) => ({ ...each, lines: each.functions }));
  const faults = chosenFaults(sources, MOST_TOGETHER);
  if (!hasPlaces(sources))
    return proofOf("faults", null, { result: "open", detail: whyNone(noticing, sources) });
  const title = "faults in the changed lines";
  progress.checkBegins(title);
  const shown = await tryFaults(scene, noticing, sources, faults);
  progress.checkEnds(title, shown.result === "stands");
  // What only has another name does what it did before, noticed or not.
  if (!isNew && shown.result === "fails")
    return proofOf("faults", null, { result: "open", detail: NO_PLACES });
  const idle = shown.result === "fails" ? testsNotRun(scene, noticing) : [];
  if (idle.length === 0) return proofOf("faults", null, shown);
  const names = listed(
    idle.map((path) => oneLine(path, 80)),
    MOST_NAMED,
  );
  return proofOf("faults", null, { ...shown, detail: `${shown.detail ?? ""}; no check runs ${names}` });
}

/** Test files that the work added, and that no check is known to run. */
function testsNotRun(scene: SampleScene, checks: readonly NamedCheck[]): readonly string[] {
  const run = new Set(
    checks.flatMap((named) => comparedOf(scene, named).definitions.map(({ path }) => path)),
  );
  const added = checks.flatMap((named) =>
    comparedOf(scene, named).changes.flatMap(({ kind, change, path }) =>
      kind === "test" && change === "added" ? [path] : [],
    ),
  );
  return [...new Set(added)].filter((path) => isCode(path) && !run.has(path));
}

const NO_PLACES = "the changed lines have nothing that a check would notice a fault in";

/** Whether a fault can be put into what changed that more than a message would show. */
function hasPlaces(sources: readonly SourceOnDisk[]): boolean {
  return chosenFaults(sources, MOST_TOGETHER).some(({ kind }) => kind !== "message");
}

interface ChangedOnDisk extends SourceOnDisk {
  /** The lines of functions that have another header now. */
  readonly functions: ReadonlySet<number>;
}

function whyNone(checks: readonly NamedCheck[], sources: readonly SourceOnDisk[]): string {
  if (checks.length === 0) return NOTHING_EXECUTES;
  return sources.length === 0 ? "no changed file is in a language that faults can be put into" : NO_PLACES;
}

/** Checks that execute the work, those that report tests first. */
function noticingChecks(scene: SampleScene, checks: readonly NamedCheck[]): readonly NamedCheck[] {
  const reports = (named: NamedCheck): boolean => (scene.reports.get(named.name)?.executed ?? 0) > 0;
  const able = checks.filter((named) => reports(named) || mayExecute(comparedOf(scene, named)));
  return [...able.filter(reports), ...able.filter((named) => !reports(named))];
}

/** A linter sees a fault by its looks. But a check that builds, too, may run what it built. */
function mayExecute({ sourceJudges, definitions, scripts }: ComparedCheck): boolean {
  return sourceJudges.length === 0 || scripts.length > 0 || definitions.some(({ kind }) => kind === "test");
}

async function changedSources(
  scene: SampleScene,
  [first]: readonly NamedCheck[],
): Promise<readonly ChangedOnDisk[]> {
  const { place, comparison } = scene;
  const paths = (comparison.changes.files?.source ?? []).slice(0, MOST_FILES);
  if (first === undefined || paths.length === 0) return [];
  const { kept } = comparedOf(scene, first).baseline;
  const then = await readKept(place, kept, new Set(paths));
  const sources: ChangedOnDisk[] = [];
  const before = (path: string): string | null => then.get(path)?.content.toString("utf8") ?? null;
  for (const path of paths) {
    const source = await readSource(place.root, path, (text) => changedLines(text, before(path)));
    if (source !== null)
      sources.push({ ...source, functions: linesOfChangedFunctions(path, source.text, before(path)) });
  }
  const lines = withoutRenamed(
    sources.map((each) => ({ now: each.text, before: before(each.path), lines: each.lines })),
  );
  return sources.map((each, index) => ({ ...each, lines: lines[index] ?? each.lines }));
}

async function tryFaults(
  scene: SampleScene,
  checks: readonly NamedCheck[],
  sources: readonly SourceOnDisk[],
  faults: readonly ChosenFault[],
): Promise<Shown> {
  const { budget } = scene;
  /** Why there was no clean room to look in; null as long as there was. */
  let why: string | null = null;
  const look = async (some: readonly ChosenFault[], limitMs = Infinity): Promise<Noticing> =>
    firstNoticing(checks, async (named) => {
      const run = await runBounded(scene, named, faultyFiles(sources, some), limitMs);
      if ("why" in run) why ??= run.why;
      return "why" in run ? "unclear" : noticingOf(run.outcome, scene.reports.get(named.name) ?? null);
    });
  // Without an end of its own, one that doesn't end would leave no time for any other.
  const together = await look(faults, Math.max(budget.leftMs() / 2, 2 * budget.checksMs));
  if (why !== null) return { result: "open", detail: why };
  if (together === "unnoticed")
    return (await isNoticedAlone(faults, look))
      ? { result: "stands", detail: null }
      : { result: "fails", detail: `no check notices a change of ${placesOf(faults)}` };
  const seen = await oneByOne(scene, together === "unclear" ? endingFirst(faults) : faults, look);
  const unnoticed = faults.filter((fault) => seen.get(fault) === "unnoticed");
  const isNoticed = together === "noticed" || [...seen.values()].includes("noticed");
  if (isNoticed)
    return {
      result: "stands",
      detail: unnoticed.length === 0 ? null : `nothing notices ${placesOf(unnoticed)}`,
    };
  if (unnoticed.length >= Math.min(ENOUGH_ALONE, faults.length) && why === null)
    return { result: "fails", detail: `no check notices a change of ${placesOf(unnoticed)}` };
  return { result: "open", detail: why ?? "with faults in the changed lines its tests did not even begin" };
}

/** Whether the faults of one file are noticed, where another one that judges has faults of its own: a program that tests itself. */
async function isNoticedAlone(
  faults: readonly ChosenFault[],
  look: (faults: readonly ChosenFault[]) => Promise<Noticing>,
): Promise<boolean> {
  const paths = [...new Set(faults.map(({ path }) => path))];
  for (const path of paths.length === 1 ? [] : paths.slice(0, MOST_FILES_ALONE))
    if ((await look(faults.filter((each) => each.path === path))) === "noticed") return true;
  return false;
}

/** With any other fault a loop may go on for ever. */
const ENDING: ReadonlySet<ChosenFault["kind"]> = new Set(["returned", "join", "text"]);

function endingFirst(faults: readonly ChosenFault[]): readonly ChosenFault[] {
  return faults.toSorted((one, other) => Number(ENDING.has(other.kind)) - Number(ENDING.has(one.kind)));
}

/** Half of what is left belongs to other samples. */
async function oneByOne(
  { budget, site }: SampleScene,
  faults: readonly ChosenFault[],
  look: (faults: readonly ChosenFault[], limitMs: number) => Promise<Noticing>,
): Promise<ReadonlyMap<ChosenFault, Noticing>> {
  const seen = new Map<ChosenFault, Noticing>();
  const reserve = budget.leftMs() / 2;
  let longestMs = 0;
  for (const fault of faults.slice(0, MOST_ALONE)) {
    const leftMs = budget.leftMs() - reserve;
    if (leftMs <= longestMs) break;
    const begun = site.now();
    // One that never ends leaves time for others.
    const limitMs = Math.max(leftMs / SHARES, SHARES * budget.checksMs);
    seen.set(fault, await look([fault], Math.min(leftMs, limitMs)));
    longestMs = Math.max(longestMs, site.now() - begun);
  }
  return seen;
}

/** `line 12 of src/cart.js, line 30 of src/cart.js and 4 more`. */
function placesOf(faults: readonly ChosenFault[]): string {
  const places = faults.map(({ path, line }) => `line ${line} of ${oneLine(path, 80)}`);
  return listed(places, MOST_NAMED);
}
