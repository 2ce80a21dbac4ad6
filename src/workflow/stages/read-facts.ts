import { discoverHere } from "../../app/propose-checks.ts";
import type { ProjectFacts } from "../../judgement/project-facts.ts";
import type { LockedLoop } from "../../loops/locked-loop.ts";
import type { Machine } from "../../loops/machine.ts";
import { pathsOf } from "../../tree/paths-of.ts";

const MOST_FILES = 20_000;

/** What the project says of itself: its own checks, and its files. Runs nothing. */
export async function readFacts(machine: Machine, { workplace }: LockedLoop): Promise<ProjectFacts> {
  const [found, reading] = await Promise.all([
    discoverHere({ ...machine, cwd: workplace.folder }),
    machine.git.readTree(workplace.root),
  ]);
  return {
    checks: found.checks.map(({ name, command }) => ({ name, command })),
    checkFolder: found.above,
    files: reading === null ? [] : pathsOf(reading).slice(0, MOST_FILES),
  };
}
