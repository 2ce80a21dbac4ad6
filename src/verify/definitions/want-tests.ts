import type { Family } from "./test-files.ts";
import { keyOf } from "./definition.ts";
import { inlineTests } from "./inline-tests.ts";
import { isData, isNamedAsExpected, isNamedAsHelper, mayBeExpected } from "./judging-data.ts";
import { namedFiles } from "./named-files.ts";
import { isBelow, nameOf } from "./project-path.ts";
import { definesTests, isImportedFromElsewhere, mayBeSource } from "./source-with-tests.ts";
import { want, type Survey, type TestRun } from "./survey.ts";
import { isCode, isCodeOf, mayCount } from "./test-files.ts";
import { isInScope, testFilesOf } from "./test-run.ts";
import { wantResolution } from "./want-resolution.ts";

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

type Named = ReadonlyMap<string, readonly string[]>;

/** Which tests mention a file. */
async function namedByTests(survey: Survey, doubtful: ReadonlyMap<string, Family>): Promise<Named> {
  const tests = [...survey.wanted.values()].filter(({ kind, part }) => kind === "test" && part === null);
  const folders = [...new Set(survey.runs.map(({ folder }) => folder))].slice(0, 10);
  const named = new Map<string, string[]>();
  for (const path of [...tests.map((test) => test.path), ...doubtful.keys()]
    .filter(isCode)
    .slice(0, MOST_READ)) {
    const text = (await survey.files.read(path)) ?? "";
    if (survey.isFirstLook) await wantResolution(survey, path, text);
    for (const each of namedFiles({ path, text, folders }, survey.has))
      named.set(each, [...(named.get(each) ?? []), path]);
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
export async function namesInSource(survey: Survey, paths: readonly string[]): Promise<ReadonlySet<string>> {
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
