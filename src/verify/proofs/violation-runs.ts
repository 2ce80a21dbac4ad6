import { hasPassed } from "../checks/check-site.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import { CANNOT_RUN } from "../baseline/shortfalls.ts";
import { readFileNow } from "../baseline/injected-files.ts";
import type { ReplacedFile } from "../baseline/replacements.ts";
import type { PutIn } from "../violations/mistakes.ts";
import type { ViolatedFile } from "../violations/put-in.ts";
import { runInRoom, type SampleScene } from "./proof-site.ts";

/** How often one more run may tell files apart that one run cannot. */
export const MOST_ALONE = 6;
const MOST_GROUPS = 2;

/** A check, and the kind of mistake that it gets. */
export interface Trial {
  readonly scene: SampleScene;
  readonly named: NamedCheck;
  readonly kind: PutIn;
}

interface Answer {
  readonly isGreen: boolean;
  readonly output: string;
}

/** Runs the check with mistakes in some files; null: it doesn't tell. */
export async function runWith(
  { scene, named }: Trial,
  violated: readonly ViolatedFile[],
  others: readonly ReplacedFile[] = [],
): Promise<Answer | null> {
  const files = new Map([...others, ...violated.map(({ file }) => file)].map((each) => [each.path, each]));
  const run = await runInRoom(scene, named, [...files.values()], { isSample: true });
  if ("why" in run || run.outcome.ending.type !== "exited" || CANNOT_RUN.has(run.outcome.ending.code))
    return null;
  return { isGreen: hasPassed(run.outcome), output: run.outcome.output };
}

/** A formatter names no more than the file. */
export function isNamed({ kind, named }: Trial, { nonce, file }: ViolatedFile, output: string): boolean {
  const { folder = "" } = named.check;
  const path = folder === "" ? file.path : file.path.replace(`${folder}/`, "");
  return output.includes(nonce) || (kind === "form" && output.includes(path));
}

export function hasTime({ scene: { budget } }: Trial): boolean {
  return budget.leftMs() > 0;
}

export interface Seen {
  /** Whether it noticed any of them. */
  readonly isRed: boolean;
  readonly reported: readonly ViolatedFile[];
  /** Neither failed for nor named: a warning isn't silence. */
  readonly unreported: readonly ViolatedFile[];
}

/** Which of the mistakes the check reports now. What one run doesn't tell, further ones do as long as there is time. */
export async function seen(trial: Trial, violated: readonly ViolatedFile[]): Promise<Seen> {
  const changed = violated.filter(({ candidate }) => candidate.isChanged);
  const unchanged = violated.filter(({ candidate }) => !candidate.isChanged);
  // A build may end with the first file, so what changed isn't kept waiting for others.
  const isTogether = trial.kind !== "build";
  const first = isTogether ? violated : changed;
  const all = first.length === 0 ? null : await runWith(trial, first);
  if (first.length > 0 && all === null) return { isRed: false, reported: [], unreported: [] };
  const output = all?.output ?? "";
  if (all?.isGreen === true) return { isRed: false, reported: [], unreported: unnamed(trial, first, output) };
  const waiting = unnamed(trial, first, output);
  const isOne = first.length === 1;
  const named = isOne ? first : first.filter((each) => !waiting.includes(each));
  const alone = isOne ? { reported: [], unreported: [] } : await seenAlone(trial, waiting);
  // If it names none, those without a name say nothing.
  const isTelling = !isTogether || named.length > 0;
  const rest = unchanged.filter((each) => !named.includes(each));
  const unseen = isTelling ? await unseenAmong(trial, rest, await asWritten(trial, changed)) : [];
  return {
    isRed: all !== null,
    reported: [...named, ...alone.reported],
    unreported: [...alone.unreported, ...unseen],
  };
}

/** The changed files one by one, where the run with all of them names only some. */
async function seenAlone(trial: Trial, waiting: readonly ViolatedFile[]): Promise<Omit<Seen, "isRed">> {
  const reported: ViolatedFile[] = [];
  const unreported: ViolatedFile[] = [];
  for (const each of waiting.filter(({ candidate }) => candidate.isChanged).slice(0, MOST_ALONE)) {
    const run = hasTime(trial) ? await runWith(trial, [each]) : null;
    if (run?.isGreen === true) unreported.push(...unnamed(trial, [each], run.output));
    else if (run !== null) reported.push(each);
  }
  return { reported, unreported };
}

/**
 * The changed files as they are, written anew: a build that doesn't know of its headers compiles only what is newer than what it
 * built.
 */
async function asWritten(
  { scene: { place }, kind }: Trial,
  changed: readonly ViolatedFile[],
): Promise<readonly ReplacedFile[]> {
  if (kind !== "build") return [];
  const files: ReplacedFile[] = [];
  for (const { path } of changed.map(({ candidate }) => candidate)) {
    const now = await readFileNow(place.root, path);
    if (now !== null) files.push({ path, mode: now.mode, content: Buffer.from(now.text) });
  }
  return files;
}

/** Files that it doesn't see, although they didn't change: without those that it names, it is green. */
async function unseenAmong(
  trial: Trial,
  unchanged: readonly ViolatedFile[],
  written: readonly ReplacedFile[],
): Promise<readonly ViolatedFile[]> {
  let left = unchanged;
  for (let runs = 0; runs < MOST_GROUPS && left.length > 0 && hasTime(trial); runs += 1) {
    const run = await runWith(trial, left, written);
    if (run === null) return [];
    const waiting = unnamed(trial, left, run.output);
    if (run.isGreen) return waiting;
    if (waiting.length === left.length) return [];
    left = waiting;
  }
  return [];
}

function unnamed(trial: Trial, violated: readonly ViolatedFile[], output: string): readonly ViolatedFile[] {
  return violated.filter((each) => !isNamed(trial, each, output));
}
