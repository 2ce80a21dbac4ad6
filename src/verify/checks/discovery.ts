import { discoverCargo, discoverGo, discoverMake } from "./discover-make-cargo-go.ts";
import { discoverNode } from "./discover-node.ts";
import { discoverPython } from "./discover-python.ts";
import { projectFiles, toolsOf, type FoundCheck, type ProposedCheck } from "./found-check.ts";

export type { ProposedCheck } from "./found-check.ts";

export interface Discovery {
  /** Each under a name of its own; each line runs as it stands, from the folder. */
  readonly checks: readonly ProposedCheck[];
  /** What the folder is set up for, but cannot run yet. */
  readonly obstructed: readonly FoundCheck[];
}

/** Checks that the tools of a folder suggest, with the programs that a command line would find. Reads files only and runs nothing. */
export async function discoverChecks(folder: string, env: NodeJS.ProcessEnv): Promise<Discovery> {
  const files = projectFiles(folder);
  const tools = toolsOf(folder, env);
  const [node, python, cargo, go, make] = await Promise.all([
    discoverNode(files, tools),
    discoverPython(files, tools),
    discoverCargo(files, tools),
    discoverGo(files, tools),
    discoverMake(files, tools),
  ]);
  const own = [...node, ...python, ...cargo, ...go];
  const runnable = own.filter(({ obstacle }) => obstacle === null);
  // A make target mostly calls what was found already.
  const covered = new Set(runnable.map((check) => check.name));
  const others = make.filter((check) => !covered.has(check.name));
  const checks = [...runnable, ...others.filter(({ obstacle }) => obstacle === null)];
  return {
    checks: withUniqueNames(checks.map(({ name, command, source }) => ({ name, command, source }))),
    obstructed: [...own, ...others].filter(({ obstacle }) => obstacle !== null),
  };
}

function withUniqueNames(checks: readonly ProposedCheck[]): readonly ProposedCheck[] {
  const seen = new Set<string>();
  return checks.map((check) => {
    const name = seen.has(check.name) ? `${check.name} (${check.command})` : check.name;
    seen.add(name);
    return { ...check, name };
  });
}
