import { namedFiles } from "../definitions/named-files.ts";
import {
  below,
  folderOf,
  foldersUpwards,
  isBelow,
  nameOf,
  type DefiningFiles,
} from "../definitions/project-files.ts";
import { reachableFrom, stemOf } from "../definitions/reachable-files.ts";
import { isCode } from "../definitions/test-files.ts";
import { kindOf } from "../definitions/tools/tools.ts";

/** The project's files at the opening and now. */
export interface TwoTimes {
  readonly before: DefiningFiles;
  readonly now: DefiningFiles;
}

/** The changed files, by whether the work can be about them. */
export interface SortedChanges {
  /** What the spec names, else what the tests import; for words. */
  readonly subjects: readonly string[];
  /** The subjects among the changed files, and what was a part of them. */
  readonly own: readonly string[];
  /** Those that came into play in another way: by new wiring, a configuration, a name that comes first. */
  readonly foreign: readonly string[];
  /** Whether the spec itself names the subjects, and tests import one of them. */
  readonly isAsked: boolean;
}

/**
 * Sorts changed source files by whether the work is about them. null: it cannot be told. `tests`: the files that judge.
 */
export async function sortChanges(
  files: TwoTimes,
  changed: readonly string[],
  { spec, tests }: { readonly spec: string; readonly tests: readonly string[] },
): Promise<SortedChanges | null> {
  const imported = await importedBy(files, tests);
  const tested = await reachedByTests(files, tests);
  if (tested === null) return null;
  const asked = namedIn(spec, files).filter((path) => tested.has(path));
  const isAsked = asked.length > 0;
  const subjects = withSiblings(files.before, isAsked ? asked : [...imported]);
  // Where a subject is gone, something else has its place, and rightly so.
  if (subjects.size === 0 || [...subjects].some((path) => !files.now.paths.includes(path))) return null;
  const parts = await partsOf(files, subjects);
  if (parts === null) return null;
  const apart = await testedApart(files, subjects, tests);
  const then = new Set(files.before.paths);
  const own: string[] = [];
  const foreign: string[] = [];
  for (const path of changed) {
    const isNew = !then.has(path);
    const isPart = subjects.has(path) || parts.has(path) || apart(path) || (isNew && imported.has(path));
    // A manifest names what it leads to, and can lead elsewhere.
    const isOwn = isPart || (!isNew && isCode(path) && (await usesOne(files, path, subjects)));
    (isOwn ? own : foreign).push(path);
  }
  const isImported = asked.some((path) => imported.has(path));
  return { subjects: isAsked ? asked : [...imported], own, foreign, isAsked: isImported };
}

/** As the opening resolved the names in them; what it didn't have, as they mean it now. */
async function importedBy(
  { before: then, now }: TwoTimes,
  tests: readonly string[],
): Promise<ReadonlySet<string>> {
  const [before, today] = [new Set(then.paths), new Set(now.paths)];
  const found = new Set<string>();
  for (const path of tests) {
    const text = await now.read(path);
    if (text === null) continue;
    const known = namedFiles({ path, text, folders: [] }, before);
    const stems = new Set([...known].map(stemOf));
    for (const each of known) found.add(each);
    for (const each of namedFiles({ path, text, folders: [] }, today))
      if (!before.has(each) && !stems.has(stemOf(each))) found.add(each);
  }
  return new Set([...found].filter(isSource));
}

async function reachedByTests(
  { before: then, now }: TwoTimes,
  tests: readonly string[],
): Promise<ReadonlySet<string> | null> {
  const before = await reachableFrom([...tests, ...manifestsAbove(tests)], then);
  const today = await reachableFrom([...tests, ...manifestsAbove(tests)], now);
  return before === null || today === null ? null : new Set([...before, ...today]);
}

/** They say what a package's own name means, and its aliases. */
function manifestsAbove(tests: readonly string[]): readonly string[] {
  const folders = new Set(tests.flatMap((path) => foldersUpwards(folderOf(path))));
  return [...folders].flatMap((folder) =>
    ["package.json", "tsconfig.json"].map((name) => below(folder, name)),
  );
}

/** `cart.h` says what `cart.c` does. */
function withSiblings(then: DefiningFiles, subjects: readonly string[]): ReadonlySet<string> {
  const stems = new Set(subjects.map(stemOf));
  return new Set([...subjects, ...then.paths.filter((path) => isSource(path) && stems.has(stemOf(path)))]);
}

/** What subjects used at the opening, and what is new since and that they name now. */
async function partsOf(
  { before: then, now }: TwoTimes,
  subjects: ReadonlySet<string>,
): Promise<ReadonlySet<string> | null> {
  const before = await reachableFrom(subjects, withoutTests(then));
  // Another file with a subject's name may take its place instead of being a part of it.
  const exactly = new Set([...subjects].map(stemOf));
  const today = await reachableFrom(subjects, withoutTests(now), { exactly });
  if (before === null || today === null) return null;
  const known = new Set(then.paths);
  return new Set([...before, ...[...today].filter((path) => !known.has(path))]);
}

/** Tests use everything, and a source has their names as words. */
function withoutTests(files: DefiningFiles): Pick<DefiningFiles, "paths" | "read"> {
  return { ...files, paths: files.paths.filter((path) => kindOf(path) !== "test") };
}

/** Whether a file that was there before builds on a subject. */
async function usesOne(
  { before: then, now }: TwoTimes,
  path: string,
  subjects: ReadonlySet<string>,
): Promise<boolean> {
  for (const files of [then, now]) {
    const used = await reachableFrom([path], files, { isExact: true });
    if (used === null || [...used].some((each) => each !== path && subjects.has(each))) return true;
  }
  return false;
}

/** Whether a file has tests of its own: a spec may name a subject only to say what another file should be like. */
async function testedApart(
  { before: then }: TwoTimes,
  subjects: ReadonlySet<string>,
  tests: readonly string[],
): Promise<(path: string) => boolean> {
  const has = new Set(then.paths);
  const found = new Set<string>();
  for (const path of tests) {
    const reached = await reachableFrom([path], then, { isExact: true });
    if (reached === null || [...reached].some((each) => subjects.has(each))) continue;
    const text = (await then.read(path)) ?? "";
    for (const each of namedFiles({ path, text, folders: [] }, has)) found.add(each);
  }
  const taken = new Set([...subjects].map(stemOf));
  const named = tests.map(stemOf);
  return (path) => {
    const stem = stemOf(path);
    return found.has(path) || (!taken.has(stem) && stem !== "" && named.some((each) => each.includes(stem)));
  };
}

const MOST_WORDS = 5_000;

/** Source files that a text names by path or by name, and those below a folder that it names. */
function namedIn(spec: string, { before: then, now }: TwoTimes): readonly string[] {
  const words = new Set(
    [...spec.slice(0, 100_000).matchAll(/[\w@./-]{2,200}/g)]
      .slice(0, MOST_WORDS)
      .map(([word]) => word.replace(/^\.\//, "").replace(/[./]+$/, "")),
  );
  const folders = [...words].filter((word) => word.includes("/"));
  return [...new Set([...then.paths, ...now.paths])].filter(
    (path) =>
      isSource(path) &&
      (words.has(path) ||
        words.has(nameOf(path)) ||
        folders.some((each) => path.endsWith(`/${each}`) || isBelow(path, each))),
  );
}

function isSource(path: string): boolean {
  return isCode(path) && kindOf(path) === "source";
}
