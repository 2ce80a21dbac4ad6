import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { filesAt } from "../definitions/project-files.ts";
import { followedImports, type MovedSource } from "../definitions/renames/followed-imports.ts";
import { modulesAmong, movedFiles } from "../definitions/renames/modules.ts";
import { projectWords, renamedWords } from "../definitions/renames/renamed-words.ts";
import type { FilePair, RenamedWords } from "../definitions/renames/renamed-words.ts";
import { ownNamesOf, withTokens, wordsOf } from "../definitions/renames/tokens.ts";
import { isCode, mayCount } from "../definitions/test-files.ts";
import { kindOf } from "../definitions/tools/tools.ts";
import type { ComparedCheck, Comparison } from "./compare.ts";
import { listKept, readKept, type Listing, type Place } from "./kept-files.ts";
import type { ReplacedFile } from "./replacements.ts";

const MOST_FILES = 3_000;

/**
 * The ways to run the original tests with source that was moved or renamed since, the surest first: the source has its old names
 * back, and the tests only lead to where it is now; the source is back in its old places, too, for what builds it; the tests have
 * the new names, for checks that look for names themselves.
 */
export type FollowedTests = readonly (readonly ReplacedFile[])[];

/**
 * The original tests where the source they are about was moved or renamed since. What they assert stays as it was. `judged`: the
 * current work with the original tests. Empty: nothing was moved or renamed that these tests are about.
 */
export async function followedTests(
  place: Place,
  comparison: Comparison,
  check: ComparedCheck,
  judged: readonly ReplacedFile[],
): Promise<FollowedTests> {
  const tests = judged.flatMap(({ path, content }) =>
    content !== null && isCode(path) ? [{ path, before: content.toString("utf8") }] : [],
  );
  const source = await sourceOf(place, comparison, check);
  if (source === null) return [];
  const pairs: FilePair[] = [];
  for (const each of tests)
    pairs.push({ ...each, now: (await textNow(place, comparison, check, each.path)) ?? "" });
  const renamed = renamedIn(pairs, source);
  const names = [...withImports(pairs, movedSource(source, renamed)), ...renamedSource(source, renamed)];
  const places = inOldPlaces(source, renamed);
  return [
    ...(names.length === 0 ? [] : [over(judged, names)]),
    ...(places.length === 0 ? [] : [over(judged, [...renamedSource(source, renamed), ...places])]),
    ...(renamed.size === 0 ? [] : [over(judged, renamedTests(pairs, source, renamed))]),
  ];
}

/** What is left of files that are gone, where they were, under their old names. */
function inOldPlaces({ texts, gone, added }: Source, renamed: RenamedWords): readonly ReplacedFile[] {
  return [...movedFiles(gone, added)].map(([path, to]) =>
    testFile(path, inOldPackage(renamedBack(to, texts.get(to) ?? "", renamed), gone.get(path) ?? "")),
  );
}

/** Tests of the same package need no import to find it. */
const PACKAGE = /^[ \t]*(?:package|namespace)[ \t]+[\w.\\]+/m;

export function inOldPackage(text: string, before: string): string {
  const [old] = PACKAGE.exec(before) ?? [];
  return old === undefined ? text : text.replace(PACKAGE, () => old);
}

function over(judged: readonly ReplacedFile[], files: readonly ReplacedFile[]): readonly ReplacedFile[] {
  const instead = new Set(files.map(({ path }) => path));
  return [...judged.filter(({ path }) => !instead.has(path)), ...files];
}

/** New are names that the source didn't have, and names that only the current tests have. */
function renamedIn(
  pairs: readonly FilePair[],
  { oldWords, words, oldNames, names, changed }: Source,
): RenamedWords {
  const before = new Set(pairs.flatMap(({ path, before: text }) => [...wordsOf(path, text)]));
  const now = new Set(pairs.flatMap(({ path, now: text }) => [...wordsOf(path, text)]));
  const isNew = (word: string): boolean => !oldWords.has(word) || (now.has(word) && !before.has(word));
  // A list still has its `push` where a queue's own became `enqueue`.
  const isGone = (word: string): boolean =>
    oldWords.has(word) && (!words.has(word) || (oldNames.has(word) && !names.has(word)));
  return renamedWords([...pairs, ...changed], {
    gone: new Set([...before].filter(isGone)),
    added: new Set([...words].filter(isNew)),
  });
}

function withImports(pairs: readonly FilePair[], moved: MovedSource): readonly ReplacedFile[] {
  return pairs.flatMap((pair) => {
    const text = followedImports(pair, moved);
    return text === null || text === pair.before ? [] : [testFile(pair.path, text)];
  });
}

function testFile(path: string, text: string): ReplacedFile {
  return { path, mode: "100644", content: Buffer.from(text) };
}

/** Only the project's own names: others say what is asserted. */
function renamedTests(
  pairs: readonly FilePair[],
  source: Source,
  renamed: RenamedWords,
): readonly ReplacedFile[] {
  const moved = movedSource(source, new Map());
  return pairs.map((pair) => {
    const { path } = pair;
    const text = followedImports(pair, moved) ?? pair.before;
    const own = projectWords(path, pair.before, new Set(renamed.keys()), moved.before);
    return testFile(
      path,
      withTokens(path, text, ({ kind, text: word }) =>
        kind === "word" && own.has(word) ? (renamed.get(word) ?? null) : null,
      ),
    );
  });
}

/** The code that isn't a test, then and now. */
interface Source {
  readonly listing: { readonly before: Listing; readonly now: Listing };
  readonly texts: ReadonlyMap<string, string>;
  /** All names in it. */
  readonly oldWords: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  /** Those that are not only what something else has. */
  readonly oldNames: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  /** The files that are there then and now, and differ. */
  readonly changed: readonly FilePair[];
  readonly gone: ReadonlyMap<string, string>;
  readonly added: ReadonlyMap<string, string>;
}

async function sourceOf(
  place: Place,
  { now }: Comparison,
  { baseline, changes }: ComparedCheck,
): Promise<Source | null> {
  const { listing: then } = await listKept(place, baseline.kept);
  const isSource = (path: string): boolean =>
    isCode(path) && mayCount(path) && kindOf(path, changes) === "source";
  const paths = [...now.keys()].filter(isSource);
  const old = [...then.keys()].filter((path) => isSource(path) && then.get(path) !== now.get(path));
  if (old.length === 0 || paths.length > MOST_FILES) return null;
  const files = filesAt(place.root, paths);
  const texts = new Map<string, string>();
  for (const path of paths) texts.set(path, (await files.read(path)) ?? "");
  const kept = await readKept(place, baseline.kept, new Set(old));
  const before = new Map([...kept].map(([path, { content }]) => [path, content.toString("utf8")]));
  const wordsIn = (each: ReadonlyMap<string, string>, read: typeof wordsOf): readonly string[] =>
    [...each].flatMap(([path, text]) => [...read(path, text)]);
  const unchanged = new Map([...texts].filter(([path]) => then.get(path) === now.get(path)));
  return {
    listing: { before: then, now },
    texts,
    oldWords: new Set([...wordsIn(unchanged, wordsOf), ...wordsIn(before, wordsOf)]),
    words: new Set(wordsIn(texts, wordsOf)),
    oldNames: new Set([...wordsIn(unchanged, ownNamesOf), ...wordsIn(before, ownNamesOf)]),
    names: new Set(wordsIn(texts, ownNamesOf)),
    gone: new Map([...before].filter(([path]) => !now.has(path))),
    added: new Map([...texts].filter(([path]) => !then.has(path))),
    changed: [...before].flatMap(([path, text]) => {
      const current = texts.get(path);
      return current === undefined ? [] : [{ path, before: text, now: current }];
    }),
  };
}

/** A test that was moved is where most of its words are. */
async function textNow(
  place: Place,
  { now }: Comparison,
  { changes }: ComparedCheck,
  path: string,
): Promise<string | null> {
  const read = async (each: string): Promise<string | null> =>
    readFile(join(place.root, each), "utf8").catch(() => null);
  if (now.has(path)) return read(path);
  const name = path.slice(path.lastIndexOf("/") + 1);
  const added = changes.filter(({ kind, change }) => kind === "test" && change === "added");
  const moved = added.find((each) => each.path.endsWith(`/${name}`) || each.path === name) ?? added[0];
  return moved === undefined ? null : read(moved.path);
}

function movedSource({ listing, texts }: Source, renamed: RenamedWords): MovedSource {
  const old = new Map([...renamed].map(([before, after]) => [after, before]));
  const isSource = (path: string): boolean => kindOf(path) === "source";
  return {
    before: modulesAmong([...listing.before.keys()].filter(mayCount)),
    now: modulesAmong([...listing.now.keys()].filter(mayCount)),
    isSource,
    hasLost: (path, names) => {
      const text = texts.get(path);
      if (text === undefined) return !listing.now.has(path);
      const words = wordsOf(path, text);
      return names.length > 0 && names.every((name) => !words.has(name));
    },
    oldName: (name) => old.get(name) ?? name,
  };
}

/** The current source with the names that the original tests call it by. */
function renamedSource({ texts }: Source, renamed: RenamedWords): readonly ReplacedFile[] {
  if (renamed.size === 0) return [];
  return [...texts].flatMap(([path, text]): readonly ReplacedFile[] => {
    const back = renamedBack(path, text, renamed);
    return back === text ? [] : [{ path, mode: "100644", content: Buffer.from(back) }];
  });
}

function renamedBack(path: string, text: string, renamed: RenamedWords): string {
  if (renamed.size === 0) return text;
  const old = new Map([...renamed].map(([before, after]) => [after, before]));
  return withTokens(path, text, ({ kind, text: word }) => (kind === "word" ? (old.get(word) ?? null) : null));
}
