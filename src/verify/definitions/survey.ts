import { below, foldersUpwards, type DefiningFiles } from "./project-files.ts";
import { keyOf, type DefinitionKind } from "./definition.ts";
import type { Mistake, SourceJudge } from "./source-judge.ts";
import type { Family } from "./test-files.ts";

/** One program as a line calls it. */
export interface Call {
  /** The name without its folder and ending. */
  readonly program: string;
  readonly words: readonly [string, ...string[]];
  /** Where it runs, relative to the project's root. */
  readonly folder: string;
  /** Something else judges it, so it is the work unless its name says otherwise. */
  readonly isCompared?: boolean;
}

/** A shell line, and where it runs. */
export interface Line {
  readonly line: string;
  readonly folder: string;
  readonly isCompared?: boolean;
  /** Whoever runs it stops at the first command that fails, as make does. */
  readonly stopsEarly?: boolean;
}

/** Tests that a call runs. */
export interface TestRun {
  readonly family: Family;
  readonly folder: string;
  /** Files and folders that the command names; empty: everything in the folder. */
  readonly scope: readonly string[];
  /** Globs of the project for further files with tests. */
  readonly globs: readonly string[];
  /** Tests inside source files count by name. */
  readonly inline: boolean;
}

export interface Wanted {
  readonly kind: DefinitionKind;
  readonly path: string;
  readonly part: string | null;
}

/** `python -c TEXT`, `node -e TEXT`. */
export interface Code {
  readonly interpreter: "node" | "python";
  readonly text: string;
}

/** What a command line depends on. */
export interface Survey {
  readonly files: DefiningFiles;
  readonly has: ReadonlySet<string>;
  /** The absolute path of the project's root, if known. */
  readonly root: string | null;
  readonly wanted: Map<string, Wanted>;
  readonly runs: TestRun[];
  readonly anywhere: Map<string, RegExp>;
  /** The command, or a script or target it names, mentions tests. */
  readonly isAboutTests: boolean;
  /** Nothing is known yet: this is its opening. */
  readonly isFirstLook: boolean;
  /** Something other than a shell builtin was called. */
  callsPrograms: boolean;
  /** A linter, a type checker or a build was found, which runs no tests and builds none. */
  judgesSource: boolean;
  /** All that judges the source, by what it reports. */
  readonly sourceJudges: Map<string, SourceJudge>;
  /** How many more calls to follow; this ends a script that calls itself. */
  callsLeft: number;
  readonly seen: Set<string>;
  /** Files and folders that a search, a linter or a type checker looks at. */
  readonly lookedAt: Set<string>;
  /** Files that the command has loaded before the tests: they set something up, or are what is tested. */
  readonly loaded: Set<string>;
  /** Files the lines write. */
  readonly written: Set<string>;
  /** Files that rules make. */
  readonly targets: Set<string>;
  /** What is built, and from what, as rules and compilers' command lines say. */
  readonly madeFrom: Map<string, Set<string>>;
  /** The programs that are built, run without being told what to do, and judge by their exit code. */
  readonly programs: Set<string>;
  /** The scripts of the project that an interpreter or a shell runs and that judge by their exit code, in the order in which they end. */
  readonly scripts: Set<string>;
  /** The one of them that ends last, if nothing but it can run to the check's end. */
  lastScript: string | null;
  /** The code that an interpreter gets as one of its words, if nothing runs after it. */
  code: Code | null;
  /** How many of the lines that lead here may lose an exit code. */
  hiding: number;
}

const MOST_CALLS = 400;

export function emptySurvey(
  files: DefiningFiles,
  about: Pick<Survey, "root" | "isAboutTests" | "isFirstLook">,
): Survey {
  return {
    ...about,
    files,
    has: new Set(files.paths),
    wanted: new Map(),
    runs: [],
    anywhere: new Map(),
    callsPrograms: false,
    judgesSource: false,
    sourceJudges: new Map(),
    callsLeft: MOST_CALLS,
    seen: new Set(),
    lookedAt: new Set(),
    loaded: new Set(),
    written: new Set(),
    targets: new Set(),
    madeFrom: new Map(),
    programs: new Set(),
    scripts: new Set(),
    lastScript: null,
    code: null,
    hiding: 0,
  };
}

/** Notes a script that judges by its exit code, if that reaches whoever runs the check. */
export function noteScript(survey: Survey, call: Call, path: string): void {
  if (!decides(survey, call) || !survey.has.has(path)) return;
  survey.scripts.delete(path);
  survey.scripts.add(path);
  survey.lastScript = path;
}

/** Notes a program that may be built, if its exit code reaches whoever runs the check. */
export function noteProgram(survey: Survey, call: Call, path: string): void {
  if (decides(survey, call) && call.words.length === 1) survey.programs.add(path);
}

export function noteMadeFrom({ madeFrom }: Survey, made: string, from: Iterable<string>): void {
  madeFrom.set(made, new Set([...(madeFrom.get(made) ?? []), ...from]));
}

export function noteCode(survey: Survey, call: Call, code: Code): void {
  if (decides(survey, call)) survey.code = code;
}

function decides({ hiding }: Survey, { isCompared }: Call): boolean {
  return hiding === 0 && isCompared !== true;
}

/** The first request for a part decides its kind. */
export function want(survey: Survey, kind: DefinitionKind, path: string, part: string | null = null): void {
  const key = keyOf({ path, part });
  if (!survey.wanted.has(key)) survey.wanted.set(key, { kind, path, part });
}

export function noteSourceJudge(survey: Survey, reports: Mistake, language: Family | null): void {
  survey.sourceJudges.set(`${reports} ${language}`, { reports, language });
}

/** Files that a program reads in its folder and in each one above. */
export function wantUpwards(survey: Survey, folder: string, names: readonly string[]): void {
  for (const each of foldersUpwards(folder))
    for (const name of names) want(survey, "config", below(each, name));
}

/** Follows what a call calls in turn. */
export type Follow = (next: Call | Line) => Promise<void>;

/** Reads one kind of call. True: understood, so no other reader needs to try. */
export type Reader = (call: Call, survey: Survey, follow: Follow) => Promise<boolean>;

export function callOf(words: readonly string[], folder: string): Call | null {
  const [first, ...rest] = words;
  if (first === undefined || first === "") return null;
  const name = first.replaceAll("\\", "/").split("/").at(-1) ?? first;
  return { program: name.replace(/\.(?:exe|cmd|bat|ps1)$/i, ""), words: [first, ...rest], folder };
}
