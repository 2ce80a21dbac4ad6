import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { findOnPath } from "../../system/files/find-on-path.ts";

/** The programs that a command line of the project would find. */
export interface Tools {
  /** Where it lies on PATH. */
  readonly onPath: (program: string) => string | null;
  /** Among what the project's packages brought, here or in a folder above, where package managers look, too. */
  readonly inNodeModules: (program: string) => boolean;
  readonly env: NodeJS.ProcessEnv;
}

export function toolsOf(folder: string, env: NodeJS.ProcessEnv): Tools {
  return {
    onPath: (program) => findOnPath(program, env),
    inNodeModules: (program) =>
      upwardsFrom(folder).some((each) => existsSync(join(each, "node_modules", ".bin", program))),
    env,
  };
}

function upwardsFrom(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwardsFrom(above)];
}
