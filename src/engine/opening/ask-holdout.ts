import { resolve } from "node:path";
import type { Configured } from "../../verify/holdouts/asked-holdout.ts";
import { configuredHoldout } from "../../verify/holdouts/asked-holdout.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { Standpoint } from "../../storage/home/project.ts";

/** The folder that a flag names, else the one that the user keeps for this project, or the nearest folder of it. */
export function askHoldout(
  { home, cwd }: Machine,
  standpoint: Standpoint,
  flag: string | undefined,
): Configured {
  if (flag === undefined) return configuredHoldout(home, standpoint);
  return {
    asked: {
      type: "folder",
      folder: resolve(cwd, flag),
      over: standpoint.folder,
      namedBy: "--holdout-from",
    },
    notices: [],
  };
}
