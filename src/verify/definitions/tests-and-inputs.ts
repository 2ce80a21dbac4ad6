import { partsOf } from "./parts/parts.ts";
import type { Family } from "./test-files.ts";
import { keyOf } from "./definition.ts";
import { inlineTests } from "./inline-tests.ts";
import {
  isData,
  isNamedAsExpected,
  isNamedAsHelper,
  mayBeExpected,
  definesTests,
  isImportedFromElsewhere,
  mayBeSource,
  isCode,
  isCodeOf,
  mayCount,
  isInTestFolder,
  isNamedAsTest,
  isTestData,
  isJudge,
} from "./test-files.ts";
import { listedFiles } from "./listed-files.ts";
import { namedFiles } from "./named-files.ts";
import { isBelow, nameOf, below, folderOf, foldersUpwards, pathIn } from "./project-files.ts";
import { want, type Survey, type TestRun } from "./survey.ts";
import { parsePathGlob, type PathGlob } from "../../system/tree/path-glob.ts";
import { ownObject, parseJson } from "./parts/formats.ts";

/** How many files to read to find the files they mention. */
const MOST_READ = 500;

/** The test files of the found runs, and what belongs to them. */
export async function wantTests(survey: Survey): Promise<void> {
  const { paths } = survey.files;
  for (const pattern of survey.anywhere.values()) {
    for (const path of paths) if (pattern.test(path) && mayCount(path)) want(survey, "config", path);
  }
  const doubtful = new Map<string, Family>();
  for (const run of survey.runs) {
    for (const path of await testFilesOf(run, paths)) {
      if (survey.wanted.has(keyOf({ path, part: null }))) continue;
      if (mayBeSource(path, run.family)) doubtful.set(path, run.family);
      else want(survey, "test", path);
    }
  }
  const named = survey.isFirstLook || doubtful.size > 0 ? await namedByTests(survey, doubtful) : new Map();
  await wantDoubtful(survey, doubtful, named);
  if (survey.isFirstLook) await wantNamed(survey, named);
  for (const run of survey.runs) if (run.inline) await wantInline(survey, run);
}

const SET_UP =
  /(?:^|[/._-])(?:boot(?:strap)?|set-?up|auto-?load(?:er)?|config\w*|conftest|preload|loader|regist(?:er|ry)|hooks?|init|env|helpers?|support|globals?|polyfills?|plugins?|reporters?)(?=[._-]|$)/i;
/** What a line begins with a name; shorter names say little. */
const DEFINED =
  /\b(?:function|def|class|func|fn|sub|const|let|var|module|interface|trait|struct)\s+(?:self\.)?([A-Za-z_]\w{2,})/g;

/**
 * A file that is loaded before the tests and defines what they call is what they test: `phpunit --bootstrap src/cart.php`. That is
 * decided at the opening; what was a definition then stays one.
 */
export async function leaveSubjects(survey: Survey): Promise<void> {
  const maybe = [...survey.loaded].filter(
    (path) =>
      isCode(path) &&
      mayCount(path) &&
      !isJudge(path) &&
      !isNamedAsHelper(path) &&
      !SET_UP.test(nameOf(path)),
  );
  if (maybe.length === 0) return;
  const words = survey.isFirstLook ? await wordsOfTests(survey, new Set(maybe)) : null;
  for (const path of maybe) {
    const text = words === null ? "" : ((await survey.files.read(path)) ?? "");
    if (words === null || [...text.matchAll(DEFINED)].some(([, name = ""]) => words.has(name)))
      survey.wanted.delete(keyOf({ path, part: null }));
  }
}

async function wordsOfTests(survey: Survey, without: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const words = new Set<string>();
  const tests = [...survey.wanted.values()].filter(
    ({ kind, part, path }) => kind === "test" && part === null && isCode(path) && !without.has(path),
  );
  for (const { path } of tests.slice(0, MOST_READ))
    for (const [word] of ((await survey.files.read(path)) ?? "").matchAll(/[A-Za-z_]\w{2,}/g))
      words.add(word);
  return words;
}

type Named = ReadonlyMap<string, readonly string[]>;

/** Which tests mention a file. */
async function namedByTests(survey: Survey, doubtful: ReadonlyMap<string, Family>): Promise<Named> {
  const tests = [...survey.wanted.values()].filter(({ kind, part }) => kind === "test" && part === null);
  const folders = [...new Set(survey.runs.map(({ folder }) => folder))].slice(0, 10);
  const { paths } = survey.files;
  const named = new Map<string, string[]>();
  for (const path of [...tests.map((test) => test.path), ...doubtful.keys()]
    .filter(isCode)
    .slice(0, MOST_READ)) {
    const text = (await survey.files.read(path)) ?? "";
    if (survey.isFirstLook) await wantResolution(survey, path, text);
    const found = namedFiles({ path, text, folders }, survey.has);
    const listed = survey.isFirstLook ? listedFiles({ path, text, folders }, paths) : [];
    for (const each of new Set([...found, ...listed])) named.set(each, [...(named.get(each) ?? []), path]);
  }
  return named;
}

async function wantDoubtful(
  survey: Survey,
  doubtful: ReadonlyMap<string, Family>,
  named: Named,
): Promise<void> {
  for (const [path, family] of doubtful) {
    const isSource =
      isImportedFromElsewhere(path, named.get(path) ?? []) &&
      !definesTests(path, family, (await survey.files.read(path)) ?? "");
    if (!isSource) want(survey, "test", path);
  }
}

/**
 * Files that tests mention are found once, at the opening. Later this would only add what the work creates, or what changed tests
 * mention, and those are changes themselves.
 */
async function wantNamed(survey: Survey, named: Named): Promise<void> {
  const unclear: string[] = [];
  for (const path of named.keys()) {
    if (isNamedAsExpected(path) || (isCode(path) && mayCount(path) && isNamedAsHelper(path)))
      want(survey, "test", path);
    else if (isData(path)) unclear.push(path);
  }
  const ofSource = await namesInSource(survey, unclear);
  for (const path of unclear)
    if (!ofSource.has(path)) want(survey, mayBeExpected(path) ? "test" : "input", path);
}

/** Which of these files the source also mentions by name: the data that the program works with. */
async function namesInSource(survey: Survey, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const isSource = (path: string): boolean =>
    isCode(path) && mayCount(path) && !survey.wanted.has(keyOf({ path, part: null }));
  const found = new Set<string>();
  for (const path of survey.files.paths.filter(isSource).slice(0, MOST_READ)) {
    const text = (await survey.files.read(path)) ?? "";
    for (const each of paths) if (text.includes(nameOf(each))) found.add(each);
  }
  return found;
}

async function wantInline(survey: Survey, run: TestRun): Promise<void> {
  for (const path of survey.files.paths) {
    if (!isCodeOf(path, run.family) || !mayCount(path) || !isBelow(path, run.folder)) continue;
    // In the other families, a runner's arguments may be test names.
    if (run.family === "python" && !isInScope(path, run)) continue;
    if (survey.wanted.has(keyOf({ path, part: null }))) continue;
    const text = await survey.files.read(path);
    for (const name of inlineTests(path, text ?? "").keys()) want(survey, "inline", path, `test ${name}`);
  }
}

/** The test files of a run. Helpers, fixtures and snapshots always count, whatever tests the command names. */
async function testFilesOf(run: TestRun, paths: readonly string[]): Promise<readonly string[]> {
  const globs = await globsOf(run.globs);
  return paths.filter((path) => {
    if (!mayCount(path)) return false;
    if (globs.some((glob) => glob.matches(path))) return true;
    if (isNamedAsTest(path, run.family)) return isInScope(path, run);
    if (isBelow(path, run.folder) && isTestData(path, run.folder, run.family)) return true;
    return isInTestFolder(path, run.family) && (isBelow(path, run.folder) || isInScope(path, run));
  });
}

function isInScope(path: string, { scope, folder }: TestRun): boolean {
  return scope.length === 0 ? isBelow(path, folder) : scope.some((each) => isBelow(path, each));
}

const MOST_GLOBS = 100;

async function globsOf(texts: readonly string[]): Promise<readonly PathGlob[]> {
  const globs: PathGlob[] = [];
  for (const text of new Set(texts.slice(0, MOST_GLOBS))) {
    const glob = await parsePathGlob(text).catch(() => null);
    if (glob !== null) globs.push(glob);
  }
  return globs;
}

const IMPORTED = /\b(?:from|import|require\s*\(|import\s*\()\s*["']([^"'\n]{1,200})["']/g;

/** What a package.json says about where a test's imports lead: `#name`, or the package's own name. */
async function wantResolution(survey: Survey, test: string, text: string): Promise<void> {
  const imported = [...text.matchAll(IMPORTED)].map(([, name = ""]) => name);
  const asked = imported.filter((name) => !/^[./]|^node:/.test(name));
  if (asked.length === 0) return;
  const manifest = foldersUpwards(folderOf(test))
    .map((folder) => below(folder, "package.json"))
    .find((path) => survey.has.has(path));
  if (manifest === undefined) return;
  const { name: own } = ownObject(parseJson((await survey.files.read(manifest)) ?? ""));
  if (asked.some((name) => name.startsWith("#"))) want(survey, "input", manifest, "imports");
  if (typeof own === "string" && asked.some((name) => name === own || name.startsWith(`${own}/`)))
    for (const part of ["exports", "main"]) want(survey, "input", manifest, part);
}

const MOST_SCRIPTS = 50;
const LOOPED_OVER = /\bfor[ \t]+\w+[ \t]+in[ \t]+([^;\n]{1,500})/g;
const FROM_A_VARIABLE = /^["']?\$[({]?[^/]*\//;

/**
 * What a script that judges reads: data, and helpers beside it. Whether it judges or is the work isn't certain, unless its name
 * says so. Found once, at the opening, like what tests mention.
 */
export async function wantInputs(survey: Survey, folder: string): Promise<void> {
  if (!survey.isFirstLook) return;
  const scripts = [...survey.wanted.values()].filter(
    ({ kind, path, part }) =>
      (part === null || part.startsWith("target ")) &&
      survey.has.has(path) &&
      (kind === "script" || kind === "input"),
  );
  const read = new Set<string>();
  const cases = new Set<string>();
  for (const { path, part } of scripts.slice(0, MOST_SCRIPTS)) {
    const whole = (await survey.files.read(path)) ?? "";
    const text = part === null ? whole : (partsOf(path, whole)(part) ?? "");
    const home = folderOf(path);
    const isHelper = (each: string): boolean => home !== "" && isBelow(each, home) && isJudge(each);
    const named = namedFiles({ path, text, folders: [folder] }, survey.has);
    for (const each of listedFiles({ path, text, folders: [folder] }, survey.files.paths)) read.add(each);
    for (const each of casesIn(text, [home, folder], survey)) cases.add(each);
    for (const each of [...named, ...cases, ...loopedOver(text, [home, folder], survey)])
      if (isCode(each) ? isHelper(each) : isData(each) || isNamedAsExpected(each)) read.add(each);
  }
  const unknown = [...read].filter((path) => !survey.wanted.has(keyOf({ path, part: null })));
  const ofSource = await namesInSource(survey, unknown.filter(isData));
  for (const path of unknown) {
    if (isNamedAsExpected(path) || cases.has(path)) want(survey, "test", path);
    else if (!ofSource.has(path)) want(survey, "input", path);
  }
}

/** `for each in t/*.in`: everything in that folder, since a script finds what belongs to a file by its name. */
function loopedOver(text: string, folders: readonly string[], survey: Survey): readonly string[] {
  const found = loopedWords(text).flatMap((word) => folders.map((folder) => pathIn(folder, folderOf(word))));
  const within = new Set(found.filter((path) => path !== null && path !== ""));
  return survey.files.paths.filter((path) => within.has(folderOf(path)));
}

/** A folder for each case, with several files that the script names there: `"$each/in.csv"` is given, and `"$each/out.txt"` expected. */
function casesIn(text: string, folders: readonly string[], survey: Survey): readonly string[] {
  const above = new Set(
    loopedWords(text)
      .filter((word) => /^[^*?]+\/\*\/$/.test(word))
      .flatMap((word) => folders.map((folder) => pathIn(folder, word.slice(0, -"/*/".length)))),
  );
  if (above.size === 0) return [];
  const found = survey.files.paths.filter(
    (path) => above.has(folderOf(folderOf(path))) && isData(path) && text.includes(`/${nameOf(path)}`),
  );
  return new Set(found.map(nameOf)).size > 1 ? found : [];
}

function loopedWords(text: string): readonly string[] {
  return [...text.matchAll(LOOPED_OVER)]
    .flatMap(([, words = ""]) => words.split(/\s+/))
    .map((word) => word.replace(FROM_A_VARIABLE, "").replaceAll(/["']/g, ""))
    .filter((word) => word.includes("/"));
}
