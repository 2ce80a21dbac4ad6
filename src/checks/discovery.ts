import { discoverCargo } from "./discover-cargo.ts";
import { discoverGo } from "./discover-go.ts";
import { discoverMake } from "./discover-make.ts";
import { discoverNode } from "./discover-node.ts";
import { discoverPython } from "./discover-python.ts";
import { projectFiles } from "./project-files.ts";
import type { ProposedCheck } from "./proposed-check.ts";

export type { ProposedCheck } from "./proposed-check.ts";

/** Checks suggested by the project's own tools, each with a unique name. Only reads files, runs nothing. */
export async function discoverChecks(root: string): Promise<readonly ProposedCheck[]> {
  const files = projectFiles(root);
  const [node, python, cargo, go, make] = await Promise.all([
    discoverNode(files),
    discoverPython(files),
    discoverCargo(files),
    discoverGo(files),
    discoverMake(files),
  ]);
  const own = [...node, ...python, ...cargo, ...go];
  // A make target usually calls what was already found.
  const covered = new Set(own.map((check) => check.name));
  return withUniqueNames([...own, ...make.filter((check) => !covered.has(check.name))]);
}

function withUniqueNames(checks: readonly ProposedCheck[]): readonly ProposedCheck[] {
  const seen = new Set<string>();
  return checks.map((check) => {
    const name = seen.has(check.name) ? `${check.name} (${check.command})` : check.name;
    seen.add(name);
    return { ...check, name };
  });
}
