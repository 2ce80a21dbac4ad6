import { MISTAKES } from "../definitions/source-judge.ts";
import { asOpened, type ReplacedFile } from "../baseline/replacements.ts";
import { isTestPath } from "../definitions/test-files.ts";
import { findCandidates, type Candidate } from "../violations/candidates.ts";
import { violatedNow, violatedThen, type ViolatedFile } from "../violations/put-in.ts";
import { isAskedFor, namesFile, suppressionsIn } from "../violations/suppressions.ts";
import { comparedOf } from "./proof-site.ts";
import { hasTime, isNamed, MOST_ALONE, runWith, type Seen, type Trial } from "./violation-runs.ts";

/** Those it should have reported: it did so at the opening, or does so if nothing else is in the file. */
export async function missedAmong(
  trial: Trial,
  { reported, unreported }: Seen,
): Promise<readonly Candidate[]> {
  const candidates = unreported.filter((each) => !isWanted(trial, each)).map(({ candidate }) => candidate);
  if (trial.kind === "coverage")
    return (await isCounted(trial, reported)) ? missedSinceOpening(trial, candidates) : [];
  const missed = await missedSinceOpening(trial, candidates);
  if (missed.length > 0) return missed;
  const moved = await movedAway(trial, candidates);
  const added = candidates.filter(({ from }) => from === null);
  return moved.length > 0 || trial.kind === "syntax" ? moved : silencedByItself(trial, added);
}

/** A file that the spec names is where the spec wants it, and what it asks to be silent may be so. */
function isWanted({ scene: { spec } }: Trial, { candidate: { path, from }, file }: ViolatedFile): boolean {
  if (from !== null && from !== path && namesFile(spec, path)) return true;
  const text = file.content?.toString("utf8") ?? "";
  return suppressionsIn(path, text, new Set(MISTAKES)).some((each) => isAskedFor(spec, each));
}

async function missedSinceOpening(
  trial: Trial,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const { scene, named, kind } = trial;
  const compared = comparedOf(scene, named);
  const violated = await violatedThen(scene.place, compared, kind, candidates);
  if (violated.length === 0) return [];
  const opening = await asOpened(scene.place, scene.comparison, compared);
  const all = await runWith(trial, violated, opening);
  if (all === null || all.isGreen) return [];
  const told = violated.filter((each) => isNamed(trial, each, all.output));
  const missed = told.length > 0 ? told : await onlyRedWith(trial, violated, opening);
  return missed.map(({ candidate }) => candidate);
}

/** Where no mistake is named: those without which the opening is green. */
async function onlyRedWith(
  trial: Trial,
  violated: readonly ViolatedFile[],
  opening: readonly ReplacedFile[],
): Promise<readonly ViolatedFile[]> {
  const { start } = comparedOf(trial.scene, trial.named).baseline;
  if (start?.passed !== true || (await runWith(trial, [], opening))?.isGreen !== true) return [];
  if (violated.length === 1) return violated;
  const missed: ViolatedFile[] = [];
  for (const each of violated.slice(0, MOST_ALONE)) {
    const alone = hasTime(trial) ? await runWith(trial, [each], opening) : null;
    if (alone?.isGreen === false) missed.push(each);
  }
  return missed;
}

/** Files that it would see where they were: a mistake in their old place is the only difference from what passes now. */
async function movedAway(trial: Trial, candidates: readonly Candidate[]): Promise<readonly Candidate[]> {
  const { scene, named, kind } = trial;
  const { now } = scene.comparison;
  const moved = candidates.filter(({ path, from }) => from !== null && from !== path && !now.has(from));
  const missed: Candidate[] = [];
  const compared = comparedOf(scene, named);
  for (const each of await violatedThen(scene.place, compared, kind, moved, { isAlone: true })) {
    const run = hasTime(trial) ? await runWith(trial, [each]) : null;
    if (run?.isGreen === false) missed.push(each.candidate);
  }
  return missed;
}

/** New files that are reported if they have nothing but the mistake in them: the rest of the file keeps it silent. */
async function silencedByItself(
  trial: Trial,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const violated = await violatedNow(trial.scene.place, trial.kind, candidates, { isAlone: true });
  const run = violated.length === 0 ? null : await runWith(trial, violated);
  if (run === null || run.isGreen) return [];
  return violated.filter((each) => isNamed(trial, each, run.output)).map(({ candidate }) => candidate);
}

/** Whether the same mistake in another file is enough to be reported: in a large project it may be too small. */
async function isCounted(trial: Trial, reported: readonly ViolatedFile[]): Promise<boolean> {
  if (reported.length > 0) return true;
  const { scene, named, kind } = trial;
  const judge = comparedOf(scene, named).sourceJudges.find(({ reports }) => reports === kind);
  if (judge === undefined) return false;
  const candidates = await findCandidates(scene, comparedOf(scene, named), judge);
  const others = candidates.filter(({ path, isChanged }) => !isChanged && !isTestPath(path));
  for (const each of others.slice(0, MOST_ALONE)) {
    if (!hasTime(trial)) return false;
    const run = await runWith(trial, await violatedNow(scene.place, kind, [each]));
    if (run?.isGreen === false) return true;
  }
  return false;
}
