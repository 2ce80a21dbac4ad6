import { resolve } from "node:path";
import type { Configured } from "../holdouts/configured-holdout.ts";
import { configuredHoldout } from "../holdouts/configured-holdout.ts";
import type { Machine } from "../loops/machine.ts";
import { findProject } from "../store/project.ts";

/** The folder from the flag, otherwise the one the user keeps for this project. */
export function askHoldout({ home, cwd }: Machine, flag: string | undefined): Configured {
  if (flag === undefined) return configuredHoldout(home, findProject(cwd).root);
  return {
    asked: { type: "folder", folder: resolve(cwd, flag), namedBy: "--holdout-from" },
    notices: [],
  };
}
