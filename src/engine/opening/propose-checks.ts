import { dirname, join, relative } from "node:path";
import { discoverChecks, type Discovery, type ProposedCheck } from "../../verify/checks/discovery.ts";
import {
  BUILD_SUCCEEDS,
  FORMAT_CLEAN,
  LINT_CLEAN,
  NO_TYPE_ERRORS,
  TESTS_PASS,
} from "../../verify/checks/found-check.ts";
import { oneLine, printable, isSameCommand, shellWord } from "../../system/text/plain-text.ts";
import { isOpen } from "../../storage/loops/known-loop.ts";
import { surveyLoops } from "../../storage/loops/survey-loops.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { openingCallerLocation, findProject, workingDirectoryOf } from "../../storage/home/project.ts";
import type { ProjectFacts } from "../../core/questions/question.ts";
import type { WorkingDirectory } from "../../storage/home/project.ts";
import { pathsOf } from "../../system/tree/tree-digest.ts";

/** What was found for somebody who stands in a folder. */
export interface FoundHere extends Discovery {
  /** The folder above whose tools these are, below the project's root; null: they are those of the folder itself. */
  readonly above: string | null;
  /** What a line needs in front of it to run from the folder. */
  readonly goThere: string;
}

/** What the tools of a folder suggest; of a folder without any, those of the nearest one above, up to the project's root. */
export async function discoverHere({ cwd, env }: Machine): Promise<FoundHere> {
  const { project, folder } = openingCallerLocation(cwd);
  const here = await discoverChecks(cwd, env);
  if (!isEmpty(here)) return { ...here, above: null, goThere: "" };
  for (const above of foldersAbove(folder)) {
    const path = join(project.root, above);
    const found = await discoverChecks(path, env);
    const back = relative(join(project.root, folder), path);
    if (!isEmpty(found)) return { ...found, above, goThere: `cd ${back} && ` };
  }
  return { ...here, above: null, goThere: "" };
}

function isEmpty({ checks, obstructed }: Discovery): boolean {
  return checks.length === 0 && obstructed.length === 0;
}

/** The nearest first; the last is the root, which is empty. */
function foldersAbove(folder: string): readonly string[] {
  if (folder === "") return [];
  const above = dirname(folder) === "." ? "" : dirname(folder);
  return [above, ...foldersAbove(above)];
}

/** Where the checks run, for the line that names one; empty in the folder itself. */
export function whereFound({ above }: FoundHere): string {
  return above === null ? "" : ` (in ${folderName(above)})`;
}

export function folderName(folder: string): string {
  return folder === "" ? "the project's root" : oneLine(folder, 120);
}

/** A sentence each, with what to do first. */
export function obstaclesOf({ obstructed }: Discovery): readonly string[] {
  return [...new Set(obstructed.flatMap(({ obstacle }) => obstacle ?? []))].map(printable);
}

/** The check of the project that a line says, too, whether or not it runs here; `npm test` is `npm run test`. */
export function proposalFor({ checks, obstructed }: Discovery, line: string): ProposedCheck | null {
  return [...checks, ...obstructed].find(({ command }) => isSameCommand(command, line)) ?? null;
}

/** The check of the project that runs a tool, such as `.venv/bin/python -m pytest` for `pytest`. */
export function proposalWith({ checks }: Discovery, tool: string): ProposedCheck | null {
  const runsIt = (word: string, before: string | undefined): boolean =>
    word.endsWith(`/${tool}`) || (word === tool && before === "-m");
  return (
    checks.find(({ command }) => command.split(" ").some((word, at, words) => runsIt(word, words[at - 1]))) ??
    null
  );
}

/** The words by which people speak of what such a check shows. */
const SUBJECTS: readonly (readonly [words: RegExp, name: string])[] = [
  [/\btests?\b/i, TESTS_PASS],
  [/\blint/i, LINT_CLEAN],
  [/\btype[ -]?(?:s|checks?|errors?)?\b/i, NO_TYPE_ERRORS],
  [/\b(?:builds?|compiles?)\b/i, BUILD_SUCCEEDS],
  [/\bformat/i, FORMAT_CLEAN],
];

/** The proposal that may decide a statement, by what the statement speaks of. */
export function proposalAbout({ checks }: Discovery, statement: string): ProposedCheck | null {
  const meant = SUBJECTS.find(([words]) => words.test(statement));
  return meant === undefined ? null : (checks.find(({ name }) => name.startsWith(meant[1])) ?? null);
}

/** Of all proposals, the one that runs the project's tests. */
export function testsOf({ checks }: Discovery): ProposedCheck | null {
  return checks.find(({ name }) => name.startsWith(TESTS_PASS)) ?? null;
}

function addingLine({ name, command }: ProposedCheck, goThere: string): string {
  return `  loop criteria add ${shellWord(printable(name))} --check ${shellWord(printable(`${goThere}${command}`))}`;
}

function openingLine({ name, command }: ProposedCheck, goThere: string): string {
  return `  loop run "what you want" -c ${shellWord(printable(`${name}=${goThere}${command}`))}`;
}

/**
 * What the project's own tools could show, as lines to copy, and what to do for the rest of them. The lines add to an open loop;
 * without one, they open it.
 */
export async function proposeChecks(machine: Machine): Promise<readonly string[]> {
  const isOpenHere = (await surveyLoops(machine, findProject(machine.cwd))).found.some(isOpen);
  const found = await discoverHere(machine);
  const obstacles = obstaclesOf(found);
  return [
    ...(found.checks.length === 0
      ? []
      : [
          `\nThis project has its own checks; ${isOpenHere ? "add" : "open a loop with"} the ones the loop must pass:`,
        ]),
    ...found.checks.map((check) => (isOpenHere ? addingLine : openingLine)(check, found.goThere)),
    ...(obstacles.length === 0 ? [] : ["\nThis project could show more:"]),
    ...obstacles.map((obstacle) => `  ${obstacle}`),
  ];
}

const MOST_FILES = 20_000;

/** What the project says of itself: its own checks, and its files. Runs nothing. */
export async function factsOf(machine: Machine, { root, folder }: WorkingDirectory): Promise<ProjectFacts> {
  const [found, reading] = await Promise.all([
    discoverHere({ ...machine, cwd: folder }),
    machine.git.readTree(root),
  ]);
  return {
    checks: found.checks.map(({ name, command }) => ({ name, command })),
    checkFolder: found.above,
    files: reading === null ? [] : pathsOf(reading).slice(0, MOST_FILES),
  };
}

/** Where a loop would be opened. */
export async function factsHere(machine: Machine): Promise<ProjectFacts> {
  const { project, folder } = openingCallerLocation(machine.cwd);
  return factsOf(machine, workingDirectoryOf(project, null, folder));
}
