import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { nameOf } from "../definitions/project-files.ts";
import { importStatements } from "../definitions/renames/import-statements.ts";
import { modulesAmong } from "../definitions/renames/modules.ts";
import { isCode, mayCount } from "../definitions/test-files.ts";
import { kindOf } from "../definitions/tools/tools.ts";
import type { ChosenFault } from "../faults/choose-faults.ts";
import { readSource } from "./faulty-files.ts";
import type { SourceOnDisk } from "./faulty-files.ts";
import type { SampleScene } from "./proof-site.ts";

const MOST_SOURCES = 20;
const MOST_READ = 500;

/** Whole files, with the names that the tests about them mention. */
export interface TestedSources {
  readonly sources: readonly SourceOnDisk[];
  /** The words of the spec and of the tests. */
  readonly words: ReadonlySet<string>;
}

/** What tests are about: what the spec names, else what they import, else what has their name, or what they mention. */
export async function testedSources(scene: SampleScene, tests: readonly string[]): Promise<TestedSources> {
  const { place, comparison, spec } = scene;
  const all = [...comparison.now.keys()];
  const sources = all.filter((path) => isCode(path) && mayCount(path) && kindOf(path) === "source");
  const texts = await Promise.all(tests.map(async (path) => [path, await textOf(scene, path)] as const));
  const words = wordsIn([spec, ...texts.map(([, text]) => text)].join("\n"));
  const ways = [
    (): readonly string[] => sources.filter((path) => spec.includes(path)),
    (): readonly string[] => importedBy(all, texts).filter((path) => sources.includes(path)),
    (): readonly string[] => sources.filter((path) => tests.some((test) => stemOf(test) === stemOf(path))),
    async (): Promise<readonly string[]> => definingOne(scene, sources, words),
  ];
  for (const find of ways) {
    const found = await read(place.root, await find());
    if (found.length > 0) return { sources: found, words };
  }
  return { sources: [], words };
}

async function textOf({ place }: SampleScene, path: string): Promise<string> {
  return readFile(join(place.root, path), "utf8").catch(() => "");
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/\w{3,}/g) ?? []);
}

async function read(root: string, paths: readonly string[]): Promise<readonly SourceOnDisk[]> {
  const sources: SourceOnDisk[] = [];
  for (const path of paths.slice(0, MOST_SOURCES)) {
    const all = (text: string): ReadonlySet<number> => new Set(text.split("\n").map((_, index) => index + 1));
    const source = await readSource(root, path, all);
    if (source !== null) sources.push(source);
  }
  return sources;
}

function importedBy(
  paths: readonly string[],
  tests: readonly (readonly [path: string, text: string])[],
): readonly string[] {
  const modules = modulesAmong(paths);
  return [
    ...new Set(
      tests.flatMap(([path, text]) =>
        importStatements(path, text).flatMap(({ module }) => modules.find(module, path)),
      ),
    ),
  ];
}

/** `words_test.go` and `words.go`, `CartTest.php` and `Cart.php`. */
function stemOf(path: string): string {
  return nameOf(path)
    .replace(/\.\w+$/, "")
    .replace(/^(?:test|spec)s?[_-]|[._-]?(?:test|spec)s?$/i, "")
    .toLowerCase();
}

/** A line that begins something with a name. */
const HEADER =
  /^\s*(?:[\w<>*&:[\]]+\s+){0,5}(?:function|def|func|fn|fun|sub|class|module|struct|trait|interface)\s+(?:\([^)]*\)\s*)?(?:self\.)?(\w+)/;

/** Those that define something that a test mentions, the ones with most of it first. */
async function definingOne(
  scene: SampleScene,
  sources: readonly string[],
  words: ReadonlySet<string>,
): Promise<readonly string[]> {
  const found: { readonly path: string; readonly count: number }[] = [];
  for (const path of sources.slice(0, MOST_READ)) {
    const lines = (await textOf(scene, path)).slice(0, 400_000).split("\n");
    const count = lines.filter((line) => words.has(HEADER.exec(line)?.[1] ?? "")).length;
    if (count > 0) found.push({ path, count });
  }
  return found.toSorted((one, other) => other.count - one.count).map(({ path }) => path);
}

/** Faults in what the spec or a test names come first: "tests for `first()`". */
export function namedFirst(
  { sources, words }: TestedSources,
  faults: readonly ChosenFault[],
): readonly ChosenFault[] {
  const lines = new Map(sources.map(({ path, text }) => [path, text.split("\n")]));
  const isNamed = ({ path, line }: ChosenFault): boolean => {
    // The nearest line that begins something, and what it is called.
    const header =
      lines
        .get(path)
        ?.slice(0, line)
        .findLast((each) => BEGINS.test(each)) ?? "";
    return (header.match(/\w{3,}/g) ?? []).some((word) => words.has(word) && !KEYWORDS.test(word));
  };
  return [...faults.filter(isNamed), ...faults.filter((each) => !isNamed(each))];
}

const BEGINS = /^\S.*\w\s*\(|^\s*(?:\w+\s+){0,4}(?:function|def|func|fn|fun|sub)\s+\S*\w/;
const KEYWORDS =
  /^(?:function|export|const|async|def|func|fun|sub|pub|int|void|public|private|protected|static|return|string|self|this|bool)$/;
