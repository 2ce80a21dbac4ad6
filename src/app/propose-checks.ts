import type { ProposedCheck } from "../checks/discovery.ts";
import { discoverChecks } from "../checks/discovery.ts";
import {
  BUILD_SUCCEEDS,
  FORMAT_CLEAN,
  LINT_CLEAN,
  NO_TYPE_ERRORS,
  TESTS_PASS,
} from "../checks/proposed-check.ts";
import { findProject } from "../store/project.ts";
import { printable } from "../text/plain-text.ts";
import { shellWord } from "../text/shell-word.ts";
import type { Machine } from "../loops/machine.ts";

export type { ProposedCheck };

/** Checks that the project's own tools suggest. */
export async function discoveredChecks(machine: Machine): Promise<readonly ProposedCheck[]> {
  return discoverChecks(findProject(machine.cwd).root);
}

/** The proposal that a line says, too; `npm test` is `npm run test`. */
export function proposalFor(proposals: readonly ProposedCheck[], line: string): ProposedCheck | null {
  return proposals.find(({ command }) => spelled(command) === spelled(line)) ?? null;
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
export function proposalAbout(proposals: readonly ProposedCheck[], statement: string): ProposedCheck | null {
  const meant = SUBJECTS.find(([words]) => words.test(statement));
  return meant === undefined ? null : (proposals.find(({ name }) => name.startsWith(meant[1])) ?? null);
}

function spelled(line: string): string {
  return line
    .trim()
    .replace(/\s+/g, " ")
    .replace(/^(npm|pnpm|yarn) run test\b/, "$1 test");
}

/** Of all proposals, the one that runs the project's tests. */
export function testsOf(proposals: readonly ProposedCheck[]): ProposedCheck | null {
  return proposals.find(({ name }) => name.startsWith(TESTS_PASS)) ?? null;
}

/** What the project's own tools could show, as lines to copy. */
export async function proposeChecks(machine: Machine): Promise<readonly string[]> {
  const proposals = await discoveredChecks(machine);
  if (proposals.length === 0) return [];
  return [
    "\nThis project could show its own state; add what you want to hold the loop to:",
    ...proposals.map(
      ({ name, command }) =>
        `  loop criteria add ${shellWord(printable(name))} --check ${shellWord(printable(command))}`,
    ),
  ];
}
