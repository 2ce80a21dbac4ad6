import type { ProjectFacts } from "../../core/questions/question.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { openingStandpoint, workplaceOf } from "../../storage/home/project.ts";
import type { Workplace } from "../../storage/home/project.ts";
import { pathsOf } from "../../system/tree/tree-digest.ts";
import { discoverHere } from "./propose-checks.ts";

const MOST_FILES = 20_000;

/** What the project says of itself: its own checks, and its files. Runs nothing. */
export async function factsOf(machine: Machine, { root, folder }: Workplace): Promise<ProjectFacts> {
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
  const { project, folder } = openingStandpoint(machine.cwd);
  return factsOf(machine, workplaceOf(project, null, folder));
}
