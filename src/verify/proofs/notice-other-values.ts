import type { CommandOutcome } from "../../system/process/run-command.ts";
import { readFileNow } from "../baseline/injected-files.ts";
import type { ReplacedFile } from "../baseline/replacements.ts";
import { hasPassed } from "../checks/check-site.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import { comparersIn, type Comparer } from "../definitions/injecting/comparers.ts";
import { failsByComparing, withOtherLines, withOtherValues } from "../definitions/injecting/other-values.ts";
import { brokenText } from "../definitions/injecting/broken-text.ts";
import { namedFiles } from "../definitions/named-files.ts";
import { nameOf } from "../definitions/project-files.ts";
import { isCode, isHeldAgainst } from "../definitions/test-files.ts";
import { newFailure } from "./failure-lines.ts";
import { comparedOf, runInRoom, type ProofScene } from "./proof-site.ts";

/** `unnoticed`: it passes with other values than it compares with. `unknown`: there are none, or nobody knows whether it runs them. */
export type OtherValues =
  | { readonly type: "noticed" | "unknown" }
  | { readonly type: "unnoticed"; readonly path: string | null };

/**
 * Whether a check fails once what judges compares with other values: tests in any language, scripts that nobody knows as tests, and
 * files with what a program should print. `known`: files that were seen to notice one; of the others, only those about the work are
 * asked then.
 */
export async function noticesOtherValues(
  scene: ProofScene,
  named: NamedCheck,
  known: ReadonlySet<string> = new Set(),
): Promise<OtherValues> {
  const all = await judgingFiles(scene, named);
  const comparers = comparersIn([...all.map(({ text }) => text), ...(await loadedBy(scene, all))]);
  const files = all.flatMap((file): readonly JudgingFile[] => {
    const other = known.has(file.path) ? null : othersIn(file, comparers);
    return other === null ? [] : [{ ...file, other }];
  });
  const about = filesAbout(files, scene.comparison.changes.files?.source ?? []);
  let isNoticed = false;
  for (const group of known.size > 0 ? about.map((each) => [each]) : groupsOf(files, about)) {
    const seen = await noticesIn(scene, named, group);
    if (seen.type === "unnoticed") return seen;
    isNoticed ||= seen.type === "noticed";
  }
  return { type: isNoticed ? "noticed" : "unknown" };
}

const MOST_ALONE = 3;
const MOST_KINDS = 3;

function filesAbout(files: readonly JudgingFile[], changed: readonly string[]): readonly JudgingFile[] {
  const stems = changed.map((path) => nameOf(path).replace(/\..*$/, "")).filter((stem) => stem.length > 1);
  return files
    .filter(({ path, text }) => !isPrinted(path) && stems.some((stem) => text.includes(stem)))
    .slice(0, MOST_ALONE);
}

/** Files that are about the work judge alone: tests of something else notice other values in any case. */
function groupsOf(
  files: readonly JudgingFile[],
  about: readonly JudgingFile[],
): readonly (readonly JudgingFile[])[] {
  const printed = files.filter(({ path }) => isPrinted(path));
  const groups = [...about.map((each) => [each]), printed].filter((group) => group.length > 0);
  return groups.length === 0 ? [files] : groups;
}

/**
 * `a.in` and `a.out`, `list.md` and `list.txt`: what goes in and what should come out changes alike with both, and that says nothing.
 * One kind at a time; a single one if no file has another beside it.
 */
function kindsOf(files: readonly JudgingFile[]): readonly (readonly JudgingFile[])[] {
  const stems = grouped(files, ({ path }) => path.slice(0, path.length - endingOf(path).length));
  if (isRepeated(stems))
    return [...grouped(files, ({ path }) => endingOf(path)).values()].slice(0, MOST_KINDS);
  // A folder for each case: `one/input.csv` and `one/output.txt`.
  const names = grouped(files, ({ path }) => nameOf(path));
  const haveFolders = isRepeated(names) || files.every(({ path }) => SIDE.test(nameOf(path)));
  return haveFolders ? [...names.values()].slice(0, MOST_KINDS) : [files];
}

/** What goes in, or comes out. */
const SIDE = /^(?:in|out|input|output|given|want(?:ed)?|expected|actual|args)\b/i;

function grouped(
  files: readonly JudgingFile[],
  keyOf: (file: JudgingFile) => string,
): ReadonlyMap<string, readonly JudgingFile[]> {
  const groups = new Map<string, JudgingFile[]>();
  for (const file of files) groups.set(keyOf(file), [...(groups.get(keyOf(file)) ?? []), file]);
  return groups;
}

function isRepeated(groups: ReadonlyMap<string, readonly JudgingFile[]>): boolean {
  return [...groups.values()].some(({ length }) => length > 1);
}

/** From the first dot of its name. */
function endingOf(path: string): string {
  return /\..*$/.exec(nameOf(path))?.[0] ?? "";
}

async function noticesIn(
  scene: ProofScene,
  named: NamedCheck,
  files: readonly JudgingFile[],
): Promise<OtherValues> {
  const [first, ...more] = files;
  if (first === undefined) return { type: "unknown" };
  const outputs: string[] = [];
  for (const kind of isPrinted(first.path) ? kindsOf(files) : [files]) {
    const outcome = await ranWith(
      scene,
      named,
      replacedBy(kind, ({ other }) => other),
    );
    if (outcome === null || !hasPassed(outcome)) return { type: outcome === null ? "unknown" : "noticed" };
    outputs.push(outcome.output);
  }
  const path = more.length === 0 ? first.path : null;
  // A program that writes what it is compared with writes over nonsense, too.
  if (isPrinted(first.path)) return { type: "unnoticed", path };
  const isPart = (await tellsOfFailure(scene, named, outputs)) || (await breaksWith(scene, named, files));
  return isPart ? { type: "unnoticed", path } : { type: "unknown" };
}

const MOST_LOADED = 30;

/** What judges may load how it compares. */
async function loadedBy(
  { place, comparison }: ProofScene,
  files: readonly ReadFile[],
): Promise<readonly string[]> {
  const has = new Set(comparison.now.keys());
  const own = new Set(files.map(({ path }) => path));
  const named = new Set(files.flatMap((file) => [...namedFiles({ ...file, folders: [] }, has)]));
  const paths = [...named].filter((path) => isCode(path) && !own.has(path)).slice(0, MOST_LOADED);
  const read = await Promise.all(paths.map(async (path) => readFileNow(place.root, path)));
  return read.flatMap((each) => (each === null ? [] : [each.text]));
}

/** Whether a run with other values says that something failed, and passes all the same. */
async function tellsOfFailure(
  scene: ProofScene,
  named: NamedCheck,
  outputs: readonly string[],
): Promise<boolean> {
  if (outputs.every((output) => newFailure(output, "") === null)) return false;
  const plain = await ranWith(scene, named, []);
  return plain !== null && outputs.some((output) => newFailure(output, plain.output) !== null);
}

/** Of several files, the check may run only some. */
async function breaksWith(
  scene: ProofScene,
  named: NamedCheck,
  files: readonly JudgingFile[],
): Promise<boolean> {
  const broken = await ranWith(
    scene,
    named,
    replacedBy(files, ({ text }) => brokenText(text)),
  );
  return broken !== null && !hasPassed(broken);
}

/** With other values; null: it has none. */
function othersIn({ path, text }: ReadFile, comparers: readonly Comparer[]): string | null {
  return isPrinted(path) && !EXAMPLES.test(text)
    ? withOtherLines(path, text)
    : withOtherValues(text, comparers);
}

/** What a program should print, and no program itself. */
function isPrinted(path: string): boolean {
  return !isCode(path) && isHeldAgainst(path);
}

/** A text with examples of code and what they give. */
const EXAMPLES = /^[ \t]*>>> /m;
const MOST_FILES = 50;

interface ReadFile {
  readonly path: string;
  readonly text: string;
  readonly mode: ReplacedFile["mode"];
}

interface JudgingFile extends ReadFile {
  /** With other values. */
  readonly other: string;
}

async function judgingFiles(scene: ProofScene, named: NamedCheck): Promise<readonly ReadFile[]> {
  const { definitions, scripts } = comparedOf(scene, named);
  const known = definitions.flatMap(({ kind, part, path, digest }) =>
    part === null && digest !== null && (kind === "test" || kind === "script") ? [path] : [],
  );
  const files: ReadFile[] = [];
  for (const path of [...new Set([...known, ...scripts])].slice(0, MOST_FILES)) {
    const now = await readFileNow(scene.place.root, path);
    // What is run may be the program itself.
    if (now !== null && (known.includes(path) || failsByComparing(now.text))) files.push({ path, ...now });
  }
  return files;
}

function replacedBy(
  files: readonly JudgingFile[],
  textOf: (file: JudgingFile) => string,
): readonly ReplacedFile[] {
  return files.map((file) => ({ path: file.path, mode: file.mode, content: Buffer.from(textOf(file)) }));
}

/** null: it doesn't tell. */
async function ranWith(
  scene: ProofScene,
  named: NamedCheck,
  replaced: readonly ReplacedFile[],
): Promise<CommandOutcome | null> {
  const run = await runInRoom(scene, named, replaced, { isSample: true });
  return "why" in run || run.outcome.ending.type !== "exited" ? null : run.outcome;
}
