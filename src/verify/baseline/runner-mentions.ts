import type { FoundDefinitions } from "../definitions/find-definitions.ts";
import { filesAt, nameOf } from "../definitions/project-files.ts";
import { definesTests, isCode, isCodeOf, isNamedAsHelper } from "../definitions/test-files.ts";
import { kindOf } from "../definitions/tools/tools.ts";
import type { Baseline } from "./baseline-record.ts";
import { readKept, type Listing, type Place } from "./kept-files.ts";

/**
 * How code finds out that tests run, or tells their runner what to do: by the name of a runner, by what runners leave in the
 * surroundings, and by what languages offer for it.
 */
const MENTION =
  /\b(?:jest|vitest|mocha|jasmine|pytest|unittest|rspec|minitest|phpunit|testng|junit|exunit|busted|surefire)\b|\bnode:test\b|\b(?:JEST|VITEST|PYTEST|MOCHA|AVA|TAP|BATS|RSPEC|PHPUNIT|CTEST|NEXTEST)_[A-Z_]+\b|\bVITEST\b|\bNODE_TEST_CONTEXT\b|\bMAKE(?:LEVEL|FLAGS|CMDGOALS)\b|\bnpm_(?:lifecycle_\w+|execpath|command)\b|\bMix\.env\b[^\n]{0,20}:test\b|\bcfg!\s*\(\s*test\b|\bcfg\s*\(\s*not\s*\(\s*test\b|\btesting\.Testing\s*\(|\bflag\.Lookup\s*\(\s*"test\.|["'`]\.test["'`]|\b(?:NODE|RAILS|RACK|APP|MIX|GO|PY)_ENV\b[^\n]{0,20}["':]test\b|\bretryTimes\b|\bretries\s*\(/gi;

/**
 * How code finds out who calls it, or which program it is a part of. That is rarely anybody's work, and a source that is only right
 * where its tests call it needs it: there are few ways to ask, and many answers to look for.
 */
const CALLER = new RegExp(
  [
    // The stack.
    String.raw`\bnew Error\([^()]*\)\.stack\b|\bprepareStackTrace\b|\bgetCallSites?\b`,
    String.raw`\binspect\.(?:stack|currentframe|getouterframes)\b|\bsys\._(?:getframe|current_frames)\b|\bf_(?:back|locals|globals)\b`,
    String.raw`\bruntime\.Callers?\(|\bcaller_locations\b|(?<![.\w])caller\s*[([]|\bdebug_backtrace\b|\bdebug\.get(?:info|local|upvalue)\b|\bStackWalker\b`,
    String.raw`\b(?:currentThread\(\)|new \w*(?:Throwable|Exception|Error)\([^()]*\))\.getStackTrace\b`,
    String.raw`\bBacktrace::|(?<![.\w])backtrace\s*\(|\bFUNCNAME\b|\bBASH_(?:SOURCE\[[1-9]|LINENO|ARGV)|^\s*caller\s+\d`,
    // What else is loaded.
    String.raw`\bgc\.get_\w+|\bObjectSpace\b|\bconst_defined\?|\bget_(?:included_files|declared_classes)\b|\bdeclare -[fF]\b`,
    String.raw`\brequire\.cache\b|(?<!!\s*)\bmodule\.parent\b(?!\s*(?:[!=]==?\s*null|\)))|\b(?:process\.mainModule|require\.main)\b(?!\s*[!=]==?\s*module)`,
    String.raw`\btypeof (?:globalThis\.)?(?:it|describe|expect|suite|test)\b|["'](?:it|describe|expect|test)["'] in \w|\b(?:globalThis|global|window)\.(?:it|describe|expect|suite|test)\b`,
    // All variables, to find one that nobody names.
    String.raw`\bObject\.keys\(\s*process\.env\s*\)\s*\.(?:some|find|join|includes|filter)\b|\bany\([^\n]*\bin\s+os\.environ\b(?!\.)|\bENV\.(?:any\?|keys\.any\?)|\bgetenv\(\)\.keySet\b`,
    // The program, and how it was built.
    String.raw`\bprocess\.(?:title|argv0|ppid|execArgv)\b`,
    String.raw`\bos\.Executable\(|\bos\.Args\[0\]|\bcurrent_exe\(|\bthread::current\(\)\s*\.name\(|\bcfg!?\(\s*(?:(?:not|any|all)\(\s*)?(?:test\s*,\s*)?debug_assertions\b|\bNDEBUG\b`,
    String.raw`\bcfg_attr\(\s*(?:not\(\s*)?(?:debug_assertions|test)\b|\bsys\.orig_argv\b|\b__progname\b|\bgetprogname\(|\bprogram_invocation_\w+|/proc/(?:self|\$)|\bgetppid\(|\$PPID\b`,
    String.raw`\bsun\.java\.command\b|\$PROGRAM_NAME\b|\bPHP_SAPI\b|\bHARNESS_\w+|\$INC\{\s*["']Test|\bTest::(?:More|Builder)\b|\benv::var(?:_os)?\(\s*"CARGO_\w+|_CURRENT_TEST\b|["']argv["']\]\[0\]|["']user-agent["']|\bcargo:{1,2}rustc-cfg\b`,
  ].join("|"),
  "gm",
);
/** The name under which it was started, which a usage line has, too. */
const OWN_NAME = /\bargv\[0\]|\bprocess\.argv\[1\]|\bargv\.(?:some|find|join|includes)\b|\$\{?0\b/g;
const HONEST_NAME =
  /usage|--|import\.meta|pathToFileURL|fileURLToPath|realpath|dirname|__FILE__|argc|\bcd\b|\b(?:awk|sed|perl|grep)\b/i;

const COMMENT = /^\s*(?:\/\/|#(?![![])|\*|\/\*|--|;)/;
const LONGEST_TEXT = 256 * 1024;

/** What a text mentions of runners, of its caller and of these files, outside its comments, in lower case. */
export function mentionsIn(text: string, files: readonly string[] = []): readonly string[] {
  const plain = withoutPrograms(text);
  return codeLines(text)
    .flatMap((line) => [
      ...[MENTION, CALLER, ...(HONEST_NAME.test(line) ? [] : [OWN_NAME])].flatMap((pattern) =>
        [...line.matchAll(pattern)].map(([found]) => found.trim()),
      ),
      ...files.filter((name) => line.includes(name) && !IMPORTS.test(line)),
    ])
    .filter((found) => found !== "$0" || plain.includes(found))
    .map((found) => found.toLowerCase());
}

/** Without what a shell hands on as it is: in a program for awk, `$0` is a line. */
function withoutPrograms(text: string): string {
  return text.replaceAll(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|#[^\n]*)/g, (part) =>
    part.startsWith("'") ? "" : part,
  );
}

/** The lines of a text that are no comments. */
export function codeLines(text: string): readonly string[] {
  const lines = text.slice(0, LONGEST_TEXT).split("\n");
  return lines.filter((line) => !COMMENT.test(line)).map((line) => line.slice(0, 2_000));
}

const IMPORTS = /^\s*(?:import\b|from\b|#\s*include\b|(?:pub )?(?:mod|use)\b|require_relative\b)/;

export interface MentionOptions {
  readonly place: Place;
  readonly baseline: Baseline;
  /** The current definitions. */
  readonly meaning: Pick<FoundDefinitions, "definitions">;
  readonly before: Listing;
  readonly now: Listing;
  readonly spec: string;
}

/**
 * Source that knows of a runner since the opening. Where sources beside it did before, it is about such things, and so may a spec
 * be. Those elsewhere may only say how tests are run.
 */
export async function newRunnerMentions(options: MentionOptions): Promise<readonly string[]> {
  const judging = judgingFiles(options);
  // A spec names its tests without asking for a source that does.
  const names = new Set(judging.map((name) => name.toLowerCase()));
  const asked = options.spec.toLowerCase();
  return newWords(
    options,
    (text) => mentionsIn(text, judging),
    (word) => !names.has(word) && asked.includes(word),
  );
}

/** Words that are found in changed source, and that no source beside it had before. */
export async function newWords(
  options: MentionOptions,
  find: (text: string) => readonly string[],
  isAskedFor: (word: string) => boolean,
): Promise<readonly string[]> {
  const { place, baseline, before, now } = options;
  const changed = [...now.keys()].filter(
    (path) => before.get(path) !== now.get(path) && (isPlainSource(path) || mayBeProgram(path)),
  );
  if (changed.length === 0) return [];
  const files = filesAt(place.root, changed, now);
  const found: { readonly path: string; readonly word: string; readonly text: string }[] = [];
  for (const path of changed) {
    const text = (await files.read(path)) ?? "";
    if (mayBeProgram(path) && !text.startsWith("#!")) continue;
    for (const word of new Set(find(text))) found.push({ path, word, text });
  }
  if (found.length === 0) return [];
  const old = await readKept(place, baseline.kept, new Set(changed.filter((path) => before.has(path))));
  // What was a source doesn't become a test by speaking of one.
  const isTest = (path: string, text: string): boolean =>
    isTestCode(path, text) && isTestCode(path, old.get(path)?.content.toString("utf8") ?? text);
  const known = await wordsBefore(options, find);
  return found
    .filter(({ path, word }) => known.get(areaOf(path))?.has(word) !== true && !isAskedFor(word))
    .filter(({ path, text }) => !isTest(path, text))
    .map(({ path, word }) => `"${word}" in ${path}`);
}

/** A name that many files have says nothing. */
const COMMON = /^(?:index|main|mod|lib|init|__init__|setup|config|helpers?)\.\w+$/i;

/** The names of what judges the work: a source that has one of them reads it, or looks for it among its callers. */
function judgingFiles({ meaning, before }: MentionOptions): readonly string[] {
  const judging = meaning.definitions.filter(
    ({ kind, part, path, digest }) =>
      digest !== null && part === null && before.has(path) && (kind === "test" || kind === "script"),
  );
  const paths = new Set(judging.map(({ path }) => path));
  const sources = new Set(
    [...before.keys()].filter((path) => isPlainSource(path) && !paths.has(path)).map(nameOf),
  );
  const names = judging.map(({ path }) => nameOf(path));
  return [...new Set(names)].filter(
    (name) => /\w\.\w+$/.test(name) && !COMMON.test(name) && !sources.has(name),
  );
}

function isTestCode(path: string, text: string): boolean {
  return (["javascript", "python"] as const).some(
    (family) => isCodeOf(path, family) && definesTests(path, family, text),
  );
}

/** Code that is neither a test nor a helper of tests, by its name. */
export function isPlainSource(path: string): boolean {
  return isCode(path) && kindOf(path) === "source" && !isNamedAsHelper(path);
}

/** A name without an ending, as of a script that says itself what runs it: `bin/wrap`. */
function mayBeProgram(path: string): boolean {
  return !nameOf(path).includes(".") && kindOf(path) === "source" && !isNamedAsHelper(path);
}

const MOST_READ = 1_000;

async function wordsBefore(
  { place, baseline, before }: MentionOptions,
  find: (text: string) => readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const sources = [...before.keys()]
    .filter((path) => isPlainSource(path) || mayBeProgram(path))
    .slice(0, MOST_READ);
  const old = await readKept(place, baseline.kept, new Set(sources));
  const known = new Map<string, Set<string>>();
  for (const [path, { content }] of old) {
    const words = known.get(areaOf(path)) ?? new Set();
    for (const word of find(content.toString("utf8"))) words.add(word);
    known.set(areaOf(path), words);
  }
  return known;
}

/** The folder at the top that a file is in; empty for one that is there itself. */
function areaOf(path: string): string {
  return path.slice(0, Math.max(0, path.indexOf("/")));
}
