import { createHash } from "node:crypto";
import type { CommandLine } from "../../core/loop/criterion.ts";
import type { DefiningFiles } from "./project-files.ts";
import { inOrder, type Definition } from "./definition.ts";
import { follower } from "./follow-line.ts";
import { partsOf } from "./parts/parts.ts";
import { callOf, emptySurvey, want, type Code, type Survey, type Wanted } from "./survey.ts";
import type { SourceJudge } from "./source-judge.ts";
import { familiesIn } from "./test-files.ts";
import { wantHarnesses } from "./harnesses.ts";
import { leaveSubjects, wantInputs, wantTests } from "./tests-and-inputs.ts";
import { simpleCommands } from "./shell/simple-commands.ts";

export interface FoundDefinitions {
  readonly definitions: readonly Definition[];
  /** How many were found beyond the limit. */
  readonly leftOut: number;
  /** A known test runner is behind it, so a report can be expected. */
  readonly runsTests: boolean;
  /** The linters, type checkers, builds and coverage thresholds behind it. */
  readonly sourceJudges: readonly SourceJudge[];
  /** Files and folders that a search, a linter or a type checker looks at; words of a search may be something else. */
  readonly lookedAt: readonly string[];
  /** Files that its rules make. */
  readonly targets: readonly string[];
  /** The scripts of the project that it runs and that judge by their exit code, in the order in which they end. */
  readonly scripts: readonly string[];
  /** The one of them after which nothing else runs. */
  readonly lastScript: string | null;
  readonly code: Code | null;
}

interface DefinitionOptions {
  readonly command: CommandLine;
  readonly files: DefiningFiles;
  /** Where the check runs, relative to the project's root. */
  readonly folder?: string;
  /** The root's absolute path, to resolve `cd /where/it/is`. */
  readonly root?: string;
  /** The definitions of the opening: looked up again, whatever the command calls now. */
  readonly known?: readonly Definition[];
  readonly most?: number;
}

const MOST_DEFINITIONS = 20_000;
/** How many files to read at the same time. */
const AT_ONCE = 32;

/** Finds which files, and which parts of files, define a check. Runs nothing. */
export async function findDefinitions(options: DefinitionOptions): Promise<FoundDefinitions> {
  const { command, files, folder = "", root = null, known, most = MOST_DEFINITIONS } = options;
  const survey = emptySurvey(files, {
    root,
    isAboutTests: speaksOfTests(command),
    isFirstLook: known === undefined,
  });
  const follow = follower(survey);
  if (command.kind === "shell") await follow({ line: command.line, folder });
  else {
    const call = callOf(command.argv, folder);
    if (call !== null) await follow(call);
  }
  const runsTests = survey.runs.length > 0;
  wantTestsByConvention(survey, folder);
  await wantHarnesses(survey);
  await wantTests(survey);
  await leaveSubjects(survey);
  await wantInputs(survey, folder);
  for (const { kind, path, part } of known ?? []) want(survey, kind, path, part);
  const wanted = inOrder([...survey.wanted.values()].map((each) => ({ ...each, digest: null })));
  const digestOf = digester(files);
  const definitions: Definition[] = [];
  for (let at = 0; at < Math.min(wanted.length, most); at += AT_ONCE) {
    const some = wanted.slice(at, Math.min(at + AT_ONCE, most));
    definitions.push(
      ...(await Promise.all(some.map(async (each) => ({ ...each, digest: await digestOf(each) })))),
    );
  }
  return {
    definitions,
    leftOut: Math.max(0, wanted.length - most),
    runsTests,
    sourceJudges: [...survey.sourceJudges.values()],
    lookedAt: [...survey.lookedAt],
    targets: [...survey.targets],
    scripts: [...survey.scripts],
    lastScript: survey.lastScript,
    code: survey.code,
  };
}

/** A command that mentions tests, without a known runner, may run any test of the project. */
function wantTestsByConvention(survey: Survey, folder: string): void {
  if (survey.runs.length > 0 || survey.judgesSource || !survey.isAboutTests || !survey.callsPrograms) return;
  for (const family of familiesIn(survey.files.paths)) {
    survey.runs.push({ family, folder, scope: [], globs: [], inline: false });
  }
}

/** Parses each file once, although many parts of it may be needed. */
function digester(files: DefiningFiles): (wanted: Wanted) => Promise<string | null> {
  const understood = new Map<string, Promise<ReturnType<typeof partsOf> | null>>();
  const partsIn = (path: string): Promise<ReturnType<typeof partsOf> | null> => {
    const known = understood.get(path);
    if (known !== undefined) return known;
    const reading = files.read(path).then((text) => (text === null ? null : partsOf(path, text)));
    understood.set(path, reading);
    return reading;
  };
  return async ({ path, part }) => {
    const parts = part === null ? null : await partsIn(path);
    // Too large to parse, so all of it counts.
    if (part === null || parts === null) return files.digest(path);
    const text = parts(part);
    return text === null ? null : createHash("sha256").update(text).digest("hex");
  };
}

const ABOUT_TESTS = /(?:^|[^a-z])(?:tests?|specs?|check|verify|t)(?:[^a-z]|$)/i;
/** The shell's own conditions: named like tests, but about anything. */
const CONDITIONS: ReadonlySet<string> = new Set(["test", "[", "[["]);
/** The innermost ones: a search for the end of each would take forever in a line of nothing but beginnings. */
const SUBSTITUTION = /\$\([^()]*\)|`[^`]*`/g;
const DEEPEST = 6;

/** Whether a command mentions tests, in its words or in a nested line. */
function speaksOfTests(command: CommandLine): boolean {
  return command.kind === "shell" ? lineSpeaks(command.line, 0) : wordsSpeak(command.argv, 0);
}

function lineSpeaks(line: string, depth: number): boolean {
  if (depth > DEEPEST) return false;
  return simpleCommands(line).some(
    ({ words, assignments, inner }) =>
      inner.some((each) => lineSpeaks(each, depth + 1)) ||
      wordsSpeak(words, depth) ||
      assignments.some(([, value]) => ABOUT_TESTS.test(value.replaceAll(SUBSTITUTION, " "))),
  );
}

function wordsSpeak(words: readonly string[], depth: number): boolean {
  if (CONDITIONS.has(words[0] ?? "")) return false;
  return words.some((word) => {
    const plain = word.replaceAll(SUBSTITUTION, " ").trim();
    return /\s/.test(plain) ? lineSpeaks(plain, depth + 1) : ABOUT_TESTS.test(plain);
  });
}
