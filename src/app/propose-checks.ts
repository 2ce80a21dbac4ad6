import type { ProposedCheck } from "../checks/discovery.ts";
import { discoverChecks } from "../checks/discovery.ts";
import { TESTS_PASS } from "../checks/proposed-check.ts";
import { printable } from "../text/plain-text.ts";
import type { Machine } from "../loops/machine.ts";

export type { ProposedCheck };

/** Checks that the tools of the folder where somebody stands suggest. */
export async function discoveredChecks(machine: Machine): Promise<readonly ProposedCheck[]> {
  return discoverChecks(machine.cwd);
}

/** The proposal that matches a command line; `npm test` is `npm run test`. */
export function proposalFor(proposals: readonly ProposedCheck[], line: string): ProposedCheck | null {
  return proposals.find(({ command }) => spelled(command) === spelled(line)) ?? null;
}

function spelled(line: string): string {
  return line
    .trim()
    .replace(/\s+/g, " ")
    .replace(/^(npm|pnpm|yarn) run test\b/, "$1 test");
}

/** The proposal that runs the project's tests. */
export function testsOf(proposals: readonly ProposedCheck[]): ProposedCheck | null {
  return proposals.find(({ name }) => name.startsWith(TESTS_PASS)) ?? null;
}

/** Checks from the project's own tools, as lines to copy. */
export async function proposeChecks(machine: Machine): Promise<readonly string[]> {
  const proposals = await discoveredChecks(machine);
  if (proposals.length === 0) return [];
  return [
    "\nThis project has its own checks; add the ones the loop must pass:",
    ...proposals.map(
      ({ name, command }) =>
        `  loop criteria add ${quoted(printable(name))} --check ${quoted(printable(command))}`,
    ),
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
