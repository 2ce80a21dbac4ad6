import { readFileNow } from "../baseline/injected-files.ts";
import type { ReplacedFile } from "../baseline/replacements.ts";
import { hasPassed } from "../checks/check-site.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import { failsByComparing, withOtherLines, withOtherValues } from "../definitions/injecting/other-values.ts";
import { brokenText } from "../definitions/injecting/broken-text.ts";
import { nameOf } from "../definitions/project-files.ts";
import { isCode, isHeldAgainst } from "../definitions/test-files.ts";
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
  const files = (await judgingFiles(scene, named)).filter(
    ({ path, text }) => !known.has(path) && othersIn(path, text) !== null,
  );
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
  const kinds = new Map<string, JudgingFile[]>();
  const stems = new Map<string, number>();
  for (const file of files) {
    const name = nameOf(file.path);
    const stem = name.replace(/\..*$/, "");
    const ending = name.slice(stem.length);
    kinds.set(ending, [...(kinds.get(ending) ?? []), file]);
    const place = file.path.slice(0, file.path.length - ending.length);
    stems.set(place, (stems.get(place) ?? 0) + 1);
  }
  return [...stems.values()].some((count) => count > 1) ? [...kinds.values()].slice(0, MOST_KINDS) : [files];
}

async function noticesIn(
  scene: ProofScene,
  named: NamedCheck,
  files: readonly JudgingFile[],
): Promise<OtherValues> {
  const others = replacedBy(files, othersIn);
  const [first, ...more] = others;
  if (first === undefined) return { type: "unknown" };
  for (const kind of isPrinted(first.path) ? kindsOf(files) : [files]) {
    const isGreen = await passesWith(scene, named, replacedBy(kind, othersIn));
    if (isGreen !== true) return { type: isGreen === null ? "unknown" : "noticed" };
  }
  const path = more.length === 0 ? first.path : null;
  // A program that writes what it is compared with writes over nonsense, too.
  if (isPrinted(first.path)) return { type: "unnoticed", path };
  const used = new Set(others.map((each) => each.path));
  const broken = replacedBy(
    files.filter((each) => used.has(each.path)),
    (_, text) => brokenText(text),
  );
  // Of several files, the check may run only some.
  const isPart = (await passesWith(scene, named, broken)) === false;
  return isPart ? { type: "unnoticed", path } : { type: "unknown" };
}

/** With other values; null: it has none. */
function othersIn(path: string, text: string): string | null {
  return isPrinted(path) && !EXAMPLES.test(text) ? withOtherLines(path, text) : withOtherValues(text);
}

/** What a program should print, and no program itself. */
function isPrinted(path: string): boolean {
  return !isCode(path) && isHeldAgainst(path);
}

/** A text with examples of code and what they give. */
const EXAMPLES = /^[ \t]*>>> /m;
const MOST_FILES = 50;

interface JudgingFile {
  readonly path: string;
  readonly text: string;
  readonly mode: ReplacedFile["mode"];
}

async function judgingFiles(scene: ProofScene, named: NamedCheck): Promise<readonly JudgingFile[]> {
  const { definitions, scripts } = comparedOf(scene, named);
  const known = definitions.flatMap(({ kind, part, path, digest }) =>
    part === null && digest !== null && (kind === "test" || kind === "script") ? [path] : [],
  );
  const files: JudgingFile[] = [];
  for (const path of [...new Set([...known, ...scripts])].slice(0, MOST_FILES)) {
    const now = await readFileNow(scene.place.root, path);
    // What is run may be the program itself.
    if (now !== null && (known.includes(path) || failsByComparing(now.text))) files.push({ path, ...now });
  }
  return files;
}

function replacedBy(
  files: readonly JudgingFile[],
  other: (path: string, text: string) => string | null,
): readonly ReplacedFile[] {
  return files.flatMap(({ path, text, mode }) => {
    const changed = other(path, text);
    return changed === null ? [] : [{ path, mode, content: Buffer.from(changed) }];
  });
}

/** null: it doesn't tell. */
async function passesWith(
  scene: ProofScene,
  named: NamedCheck,
  replaced: readonly ReplacedFile[],
): Promise<boolean | null> {
  const run = await runInRoom(scene, named, replaced, { isSample: true });
  if ("why" in run || run.outcome.ending.type !== "exited") return null;
  return hasPassed(run.outcome);
}
