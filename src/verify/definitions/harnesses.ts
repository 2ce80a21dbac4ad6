import { USUAL_SOURCE } from "./callers/interpreters.ts";
import { namedFiles } from "./named-files.ts";
import { folderOf, isBelow, pathIn } from "./project-files.ts";
import { want, type Survey } from "./survey.ts";
import { isCodeOf, isJudge } from "./test-files.ts";

/** A program of this kind, whatever it is called, begins in `main`, or in tests that register themselves. */
const BEGINS = /\bmain\s*\([^()]*\)\s*\{|^(?:TEST\w*|START_TEST|SCENARIO)\s*\(/m;
/** It says what should be so, or counts what is not. */
const COMPARES = /\b\w*(?:assert|check|expect|test|fail|verify|ensure|require)\w*\b/i;
const TESTING_NAME = /test|spec|check/i;
const SOURCES = [".c", ".cc", ".cpp", ".cxx", ".C"];
const INCLUDED = /^[ \t]*#[ \t]*include[ \t]*["<]([\w./+-]+)[">]/gm;
const OBJECT = /\.(?:o|obj)$/;
const MOST_READ = 100;

/**
 * `make check` that builds `driver` and runs it: what such a program begins with are the tests, whatever the file is called. It has
 * to compare something, and to be linked with a source that it can judge; a program alone is the work. Found once, at the opening.
 */
export async function wantHarnesses(survey: Survey): Promise<void> {
  if (!survey.isFirstLook) return;
  await noteRegistered(survey);
  for (const program of survey.programs) {
    const sources = sourcesOf(survey, program);
    for (const path of sources.slice(0, MOST_READ)) {
      const text = (await survey.files.read(path)) ?? "";
      const named = namedFiles({ path, text, folders: [] }, survey.has);
      const judges = sources.length > 1 || named.size > 0 || includesOwn(text, survey);
      if (!judges || !BEGINS.test(text) || !COMPARES.test(text) || !isMeant(survey, program, path)) continue;
      want(survey, "test", path);
      for (const each of ownFiles(path, sources, named)) want(survey, "test", each);
    }
  }
}

/** A header of the project, wherever the compiler is told to look for it. */
function includesOwn(text: string, { files }: Survey): boolean {
  const names = new Set([...text.matchAll(INCLUDED)].map(([, name = ""]) => `/${name}`));
  return [...names].some((name) => files.paths.some((path) => `/${path}`.endsWith(name)));
}

/** Its name says that it judges, or the command's does and the file isn't where the work usually is. */
function isMeant({ isAboutTests, runs }: Survey, program: string, path: string): boolean {
  if (TESTING_NAME.test(program) || isJudge(path)) return true;
  return (isAboutTests || runs.some(({ family }) => family === "c")) && !USUAL_SOURCE.test(path);
}

/** What a harness reads from a folder of its own. */
function ownFiles(
  harness: string,
  sources: readonly string[],
  named: ReadonlySet<string>,
): readonly string[] {
  const home = folderOf(harness);
  const isShared = sources.some((path) => path !== harness && isBelow(path, home));
  return home === "" || isShared || /^(?:src|lib)\b/.test(home)
    ? []
    : [...named].filter((path) => isBelow(path, home));
}

/** The sources that a program is linked from, through its objects. */
function sourcesOf({ madeFrom, has }: Survey, program: string): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const waiting = [program];
  for (let made = waiting.pop(); made !== undefined; made = waiting.pop()) {
    if (seen.has(made)) continue;
    seen.add(made);
    if (isCodeOf(made, "c") && has.has(made)) found.add(made);
    const stem = made.replace(OBJECT, "");
    if (OBJECT.test(made) || made === program)
      for (const ending of SOURCES) if (has.has(stem + ending)) found.add(stem + ending);
    waiting.push(...(madeFrom.get(made) ?? []));
  }
  return [...found].filter((path) => !/\.h\w*$/.test(path));
}

const EXECUTABLE = /\badd_executable\s*\(\s*([\w.-]+)([^()]*)\)|\bexecutable\s*\(\s*'([\w.-]+)'([^()]*)\)/gi;
/** A test that runs a program and tells it nothing. */
const REGISTERED =
  /\badd_test\s*\(\s*(?:NAME\s+"?[\w.-]+"?\s+COMMAND\s+)?([\w.-]+)\s*\)|_discover_tests\s*\(\s*([\w.-]+)/gi;
const MESON_TEST = /\btest\s*\(\s*'[^']*'\s*,\s*([\w.-]+)\s*\)/g;
const DESCRIPTION = /(?:^|\/)(?:CMakeLists\.txt|meson\.build)$/;

/** The programs that ctest or meson runs, as the descriptions of the build say. */
async function noteRegistered(survey: Survey): Promise<void> {
  if (!survey.runs.some(({ family }) => family === "c")) return;
  for (const file of survey.files.paths.filter((path) => DESCRIPTION.test(path)).slice(0, MOST_READ)) {
    const text = (await survey.files.read(file)) ?? "";
    const folder = folderOf(file);
    for (const [, cmake, cmakeWords, meson, mesonWords] of text.matchAll(EXECUTABLE)) {
      const words = (cmakeWords ?? mesonWords ?? "").match(/[\w./+-]+/g) ?? [];
      const paths = words.map((word) => pathIn(folder, word, survey.root)).filter((path) => path !== null);
      survey.madeFrom.set(cmake ?? meson ?? "", new Set(paths.filter((path) => survey.has.has(path))));
    }
    for (const [, run, discovered] of text.matchAll(REGISTERED)) survey.programs.add(run ?? discovered ?? "");
    for (const [, run] of text.matchAll(MESON_TEST)) survey.programs.add(run ?? "");
  }
}
