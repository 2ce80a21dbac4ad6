import type { ShownProof } from "../../core/loop/proof.ts";
import { listed } from "../../core/listed.ts";
import { asReverted, type ReplacedFile } from "../baseline/replacements.ts";
import { readKept } from "../baseline/kept-files.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import { chosenFaults } from "../faults/choose-faults.ts";
import { keptLines } from "../faults/kept-lines.ts";
import type { CommandOutcome } from "../../system/process/run-command.ts";
import { readTestReport } from "../reports/read-test-report.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { namesFile } from "../violations/suppressions.ts";
import { runBounded } from "./bounded-run.ts";
import { faultyFiles, readSource, type SourceOnDisk } from "./faulty-files.ts";
import { noticingOf } from "./faulty-run.ts";
import { SHORT_MS } from "./injected-run.ts";
import { comparedOf, runInRoom, type SampleScene } from "./proof-site.ts";

type Shown = Pick<ShownProof, "result" | "detail" | "files">;

const MOST_FAULTS = 30;
const MOST_FILES = 20;
const MOST_NAMED = 3;

/**
 * Code that a check looked at before the work, that is still there, and that nothing looks at any more: what passes instead is
 * another file under its name, or a way around it for those who call it in a test. null: there is none, as far as is known.
 */
export async function idleCode(scene: SampleScene, checks: readonly NamedCheck[]): Promise<Shown | null> {
  const [named] = checks;
  if (named === undefined || checks.length > 1) return null;
  const sources = await codeFromBefore(scene, named);
  const faults = chosenFaults(sources, MOST_FAULTS).filter(({ kind }) => kind !== "message");
  if (faults.length === 0 || scene.budget.leftMs() <= 0) return null;
  const now = await runBounded(scene, named, faultyFiles(sources, faults));
  const own = scene.reports.get(named.name) ?? null;
  if ("why" in now || noticingOf(now.outcome, own) !== "unnoticed") return null;
  const places = sources.filter(({ path }) => faults.some((fault) => fault.path === path));
  const noticed = await noticedBefore(scene, named, places);
  // What was wrong before was wrong in another way with one fault, and what is right now may stand it.
  const isAlone = new Set(faults.map(({ path, line }) => `${path}:${line}`)).size === 1;
  if (noticed === "not" || (noticed === "in-words" && isAlone)) return null;
  const lines = faults.map(({ path, line }) => `line ${line} of ${oneLine(path, 80)}`);
  const detail = `its tests noticed ${listed(lines, MOST_NAMED)} before the work, and don't any more: something else is tested instead`;
  return { result: "fails", detail, files: [...new Set(faults.map(({ path }) => path))] };
}

/** What is left of changed functions, and the files that the spec names and the work left alone. */
async function codeFromBefore(scene: SampleScene, named: NamedCheck): Promise<readonly SourceOnDisk[]> {
  const { place, comparison, spec } = scene;
  const changed = (comparison.changes.files?.source ?? []).slice(0, MOST_FILES);
  const then = await readKept(place, comparedOf(scene, named).baseline.kept, new Set(changed));
  const sources: SourceOnDisk[] = [];
  const isNamed = (path: string): boolean => namesFile(spec, path);
  const isShort = scene.budget.checksMs <= SHORT_MS;
  for (const path of changed) {
    const before = then.get(path)?.content.toString("utf8");
    if (before === undefined) continue;
    const linesOf = (text: string): ReadonlySet<number> => {
      const { lines, isAroundOnly } = keptLines(path, text, before);
      return isShort || (isAroundOnly && isNamed(path)) ? lines : new Set();
    };
    const source = await readSource(place.root, path, linesOf);
    if (source !== null) sources.push(source);
  }
  // A spec that names another file, too, may want that one instead.
  if (changed.some(isNamed)) return sources;
  const left = [...comparison.now.keys()].filter(isNamed).slice(0, MOST_FILES);
  for (const path of left) {
    const source = await readSource(place.root, path, allLines);
    if (source !== null) sources.push(source);
  }
  return sources;
}

function allLines(text: string): ReadonlySet<number> {
  return new Set(text.split("\n").map((_, index) => index + 1));
}

/** `by-failing`: something failed that had passed. `in-words`: what failed in any case said something else. */
type Noticed = "by-failing" | "in-words" | "not";

/** Which difference the same lines with faults made in the source of the opening. */
async function noticedBefore(
  scene: SampleScene,
  named: NamedCheck,
  sources: readonly SourceOnDisk[],
): Promise<Noticed> {
  const compared = comparedOf(scene, named);
  const opening = await asReverted(scene.place, scene.comparison, compared);
  if (opening === null) return "not";
  const before = sources.map((source) => asBefore(source, opening));
  const faults = chosenFaults(before, MOST_FAULTS).filter(({ kind }) => kind !== "message");
  const faulty = faultyFiles(before, faults);
  const taken = new Set(faulty.map(({ path }) => path));
  const plain = await runInRoom(scene, named, opening, { isSample: true });
  const other = await runBounded(scene, named, [
    ...opening.filter(({ path }) => !taken.has(path)),
    ...faulty,
  ]);
  return "outcome" in plain && "outcome" in other ? differenceOf(plain.outcome, other.outcome) : "not";
}

/** The file as it was, with the lines in it that are still there. */
function asBefore(source: SourceOnDisk, opening: readonly ReplacedFile[]): SourceOnDisk {
  const old = opening.find(({ path }) => path === source.path)?.content?.toString("utf8");
  if (old === undefined) return source;
  const now = source.text.split("\n");
  const texts = new Set([...source.lines].map((line) => (now[line - 1] ?? "").trim()));
  const lines = old.split("\n").flatMap((line, index) => (texts.has(line.trim()) ? [index + 1] : []));
  return { ...source, text: old, lines: new Set(lines) };
}

function differenceOf(plain: CommandOutcome, other: CommandOutcome): Noticed {
  if (noticingOf(other, null) === "unclear") return "not";
  const [before, after] = [readTestReport(plain.output), readTestReport(other.output)];
  if (before !== null && after !== null && after.failed !== before.failed)
    return after.failed > before.failed ? "by-failing" : "not";
  if (before?.unit !== "tests" && after?.unit !== "tests")
    return failsEarlier(plain, other) ? "by-failing" : "not";
  // A single test may honestly end in a guard that the work put first.
  const several = (before?.executed ?? 0) > 1 && (after?.executed ?? 0) > 1;
  return several && said(plain) !== said(other) ? "in-words" : "not";
}

const PLACE = /([\w./-]+\.\w+)(?::|", line |\()(\d+)\b/;

/** The first failure is of something that passed before, although nobody counts it: an assertion of a program, a test of a package. */
function failsEarlier(plain: CommandOutcome, other: CommandOutcome): boolean {
  const [, file, line] = PLACE.exec(plain.output) ?? [];
  const [, same, earlier] = PLACE.exec(other.output) ?? [];
  return file !== undefined && file === same && Number(earlier) < Number(line);
}

const OF_ONE_RUN = /0x[\da-f]+|\b\d+(?:\.\d+)?\s*(?:ms|s|seconds?)\b|\d+\.\d+|\d\d:\d\d(?::\d\d)?|seed \d+/gi;

/** In any order, without times and addresses. */
function said({ output }: CommandOutcome): string {
  return output.replaceAll(OF_ONE_RUN, "").split("\n").toSorted().join("\n");
}
