import { discoverChecks } from "../checks/discovery.ts";
import { findProject } from "../store/project.ts";
import { printable } from "../text/plain-text.ts";
import type { Machine } from "../loops/machine.ts";

/** What the project's own tools could show, as lines to copy. */
export async function proposeChecks(machine: Machine): Promise<readonly string[]> {
  const proposals = await discoverChecks(findProject(machine.cwd).root);
  if (proposals.length === 0) return [];
  return [
    "\nThis project could show its own state; add what you want to hold the loop to:",
    ...proposals.map(
      ({ name, command }) =>
        `  loop criteria add ${quoted(printable(name))} --check ${quoted(printable(command))}`,
    ),
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
