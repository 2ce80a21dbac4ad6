import { join } from "node:path";
import type { CheckSite } from "../../verify/checks/check-site.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import { standpointOf } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { loopFolder } from "../../storage/home/project.ts";

/** `signal` stops running checks; their results are discarded. */
export function checkSiteOf(
  machine: Machine,
  { id, live, workplace }: Pick<LockedLoop, "id" | "live" | "workplace">,
  signal: AbortSignal | null = null,
): CheckSite {
  return {
    root: workplace.root,
    folder: workplace.folder,
    evidenceFolder: join(loopFolder(live.project, id), "evidence"),
    protects: live.loop.protects,
    env: machine.env,
    now: machine.now,
    run: machine.processes.run,
    readTree: async () => machine.git.readTree(workplace.root),
    progress: machine.progress,
    // Few calls run a check, so what it needs is loaded on demand.
    takeResources: async (until) => {
      const { takeResources } = await import("./project-resources.ts");
      return takeResources(machine, standpointOf({ live }), until);
    },
    signal,
  };
}
