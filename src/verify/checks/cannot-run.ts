import { describeCommand, type Check, type Evidence } from "../../core/loop/criterion.ts";
import type { TestReport } from "../reports/test-report.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { existsSync } from "node:fs";
import { join, relative, dirname } from "node:path";
import { calledPrograms } from "../definitions/shell/simple-commands.ts";
import { projectFiles } from "./found-check.ts";

const LONGEST_SEEN = 160;

/** What a shell ends with when it cannot execute a program, or cannot find it. */
const NEVER_BEGAN = new Set([126, 127]);
const WHY_NEVER = /not found|no such file|permission denied|cannot execute/i;

/** Lines that shells and launchers print when a program is missing. */
const WORDS_OF_LAUNCHERS: readonly RegExp[] = [
  // Shells, even when something else sets the exit code.
  /^(?:\S*\/)?(?:ba|da|z|k)?sh: (?:(?:line )?\d+: )?\S+: (?:command )?not found$/,
  /^(?:\S*\/)?(?:ba|da|z|k)?sh: (?:\d+: )?(?:cannot|can't) open .+$/i,
  /^zsh:\d+: command not found: .+$/,
  /^'.+' is not recognized as an internal or external command,$/,
  // Script runners.
  /^(?:npm (?:error|ERR!)|\s*ERR_PNPM_NO_SCRIPT)\s+Missing script: .+$/i,
  /^npm (?:error|ERR!) (?:enoent )?Could not read package\.json: .+$/,
  /^npm (?:error|ERR!) could not determine executable to run$/,
  /^error Command ".+" not found\.$/,
  /^Usage Error: Couldn't find a script named ".+".*$/,
  /^error: Script not found ".+"$/,
  /^g?make(?:\[\d+\])?: \*\*\* No rule to make target ['`][^']+'\.\s+Stop\.$/,
  /^g?make(?:\[\d+\])?: \*\*\* No targets specified and no makefile found\.\s+Stop\.$/,
  /^g?make(?:\[\d+\])?: \*\*\* \[.+\] Error 12[67]$/,
  /^error: no such command: `.+`$/,
  /^(?:error: )?could not find `Cargo\.toml` in .+$/,
  /^Command not found: .+$/,
  /^error: Failed to spawn: `.+`$/,
  // Interpreters.
  /^\S*python[\d.]*(?:\.exe)?: No module named \S+$/i,
  /^\S*python[\d.]*(?:\.exe)?: can't open file .+$/i,
  /^\S*ruby: No such file or directory -- .+$/,
  /^Could not open input file: .+$/,
];

const MISSING_MODULE = /^Error: Cannot find module '(.+)'$/;

/** Lines in which test runners name the file that they were given and can't find. */
const MISSING_TESTS: readonly RegExp[] = [
  /^Could not find '(.+)'$/,
  /^ERROR: file or directory not found: (.+)$/,
  /^(?:Error: )?No test files found: "(.+)"$/,
  /^(?:Warning|Error): Cannot find any files matching pattern "(.+)"$/,
  // After "No test files found" and "No tests found".
  /^filter:\s+(.+)$/,
  /^\s*Pattern: (.+) - 0 matches$/,
];

interface Where {
  readonly root: string;
  readonly cwd: string;
}

/** Why a check that failed says nothing about the work; null: it ran, whatever the result. */
export async function whyItCannotRun(
  where: Where,
  check: Check,
  evidence: Evidence,
  report: TestReport | null,
): Promise<string | null> {
  if ((report?.executed ?? 0) > 0) return null;
  // A worktree's own path may be so long that nothing else of the line would be kept.
  const outputTail = evidence.outputTail.replaceAll(`${where.root}/`, "");
  const told =
    writtenForRoot(where, check, evidence) ?? whyItNeverBegan(check, { ...evidence, outputTail }, report);
  if (told !== null || evidence.exitCode !== 1 || evidence.outputTail.trim() !== "") return told;
  const missing = await scriptSilentlyMissing(where, check);
  return missing === null ? null : `package.json has no script "${oneLine(missing, 60)}"`;
}

/**
 * Why a check could not even start, in the words of the program that tried to start it; null: it ran, whatever the result. The
 * exit code decides first. If it is inconclusive, only a few well-known lines count, since many failures print similar words. A
 * check whose tests ran has run.
 */
export function whyItNeverBegan(
  { command }: Pick<Check, "command">,
  { passed, exitCode, ending, outputTail }: Pick<Evidence, "passed" | "exitCode" | "ending" | "outputTail">,
  report: Pick<TestReport, "executed"> | null,
): string | null {
  if (passed || (report?.executed ?? 0) > 0) return null;
  const lines = outputTail.split(/\r?\n/).map((line) => line.trimEnd());
  if (exitCode === null) return ending.startsWith("could not start") ? seen(ending) : null;
  if (NEVER_BEGAN.has(exitCode)) {
    const told = lines.find((line) => WHY_NEVER.test(line)) ?? lines.findLast((line) => line !== "");
    return seen(told === undefined ? `exit code ${exitCode}` : `${told} (exit code ${exitCode})`);
  }
  const told = lines.find(
    (line) => WORDS_OF_LAUNCHERS.some((words) => words.test(line)) || isOwnFileMissing(line, command),
  );
  if (told !== undefined) return seen(told);
  const missing = missingTests(lines, command);
  return missing === null ? null : `${MISSING_FILE}${seen(missing)}`;
}

export const MISSING_FILE = "there is no ";

/** Whether a check can't run because the file of tests that it names isn't there. */
export function isAboutTests(cannotRun: string | null): cannotRun is string {
  return cannotRun?.startsWith(MISSING_FILE) === true;
}

/** The file of tests that the command names and its runner can't find. A word without an ending may be a pattern. */
function missingTests(lines: readonly string[], command: Check["command"]): string | null {
  const paths = lines.flatMap((line) => MISSING_TESTS.flatMap((words) => words.exec(line)?.[1] ?? []));
  return namedAmong(paths.map(withoutTestName), command).find((name) => /\.\w+$/.test(name)) ?? null;
}

/** `tests/test_cart.py::test_total`: a test in a file. */
function withoutTestName(path: string): string {
  return path.replace(/::.*$/, "");
}

/** Whether a launcher said that what it should start is missing, wherever in a text. */
export function saysProgramIsMissing(text: string): boolean {
  return text.split(/\r?\n/).some((line) => WORDS_OF_LAUNCHERS.some((words) => words.test(line.trimEnd())));
}

function seen(text: string): string {
  return oneLine(text, LONGEST_SEEN);
}

/** Node can't find the file that the command itself names; any other missing file is for the work to fix. */
function isOwnFileMissing(line: string, command: Check["command"]): boolean {
  const path = MISSING_MODULE.exec(line)?.[1];
  return path !== undefined && namedAmong([path], command).length > 0;
}

/** The words of the command that lead to one of these paths. */
function namedAmong(paths: readonly string[], command: Check["command"]): readonly string[] {
  const seenPaths = paths.map((path) => path.replaceAll("\\", "/").replace(/^(?:\.\/)+/, ""));
  return namesIn(command)
    .map(withoutTestName)
    .filter((name) => seenPaths.some((path) => path === name || path.endsWith(`/${name}`)));
}

/** The words of a command that could be paths, without a leading `./`. */
export function namesIn(command: Check["command"]): readonly string[] {
  const words = command.kind === "argv" ? command.argv : describeCommand(command).split(/[\s"';&|()]+/);
  return words
    .map((word) => word.replaceAll("\\", "/").replace(/^(?:\.\/)+/, ""))
    .filter((word) => word !== "" && !word.startsWith("-"));
}

const LONGEST_NAME = 80;

/**
 * Why a check fails that was written for the project's root and runs in a folder below it: it names a file that only the root has, and
 * its output does, too. null: that isn't why.
 */
export function writtenForRoot(
  { root, cwd }: Where,
  { command }: Pick<Check, "command">,
  { passed, outputTail }: Pick<Evidence, "passed" | "outputTail">,
): string | null {
  if (passed || cwd === root) return null;
  const missing = namesIn(command)
    .filter((name) => !name.startsWith("/") && !name.split("/").includes(".."))
    .find(
      (name) => outputTail.includes(name) && existsSync(join(root, name)) && !existsSync(join(cwd, name)),
    );
  if (missing === undefined) return null;
  return `${oneLine(relative(root, cwd), LONGEST_NAME)} has no ${oneLine(missing, LONGEST_NAME)}, but the project's root has it: start there`;
}

/** `npm test --silent` says nothing about a script that doesn't exist: the script's name then, if one is missing. */
async function scriptSilentlyMissing({ root, cwd }: Where, { command }: Check): Promise<string | null> {
  const names = calledPrograms(describeCommand(command)).flatMap(scriptOf);
  if (names.length === 0) return null;
  const scripts = await scriptsAt(root, cwd);
  return (scripts === null ? undefined : names.find((name) => !scripts.has(name))) ?? null;
}

function scriptOf([program, ...words]: readonly [string, ...string[]]): readonly string[] {
  const ours = words.includes("--") ? words.slice(0, words.indexOf("--")) : words;
  if (program !== "npm" || !ours.some((word) => ["-s", "--silent", "--loglevel=silent"].includes(word)))
    return [];
  const [first = "", second] = ours.filter((word) => !word.startsWith("-"));
  if (first === "run" || first === "run-script") return second === undefined ? [] : [second];
  return first === "test" || first === "t" ? ["test"] : [];
}

/** Of the nearest manifest, as npm finds it; null if none can be read. */
async function scriptsAt(root: string, cwd: string): Promise<ReadonlySet<string> | null> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const text = await projectFiles(folder).read("package.json");
    if (text !== null) return scriptsIn(text);
    if (folder === root || folder === dirname(folder)) return null;
  }
}

function scriptsIn(text: string): ReadonlySet<string> | null {
  try {
    const { scripts } = JSON.parse(text) as { readonly scripts?: unknown };
    return new Set(typeof scripts === "object" && scripts !== null ? Object.keys(scripts) : []);
  } catch {
    return null;
  }
}
