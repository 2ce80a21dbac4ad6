import { join } from "node:path";
import type { CheckSite } from "../../verify/checks/check-site.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import { standpointOf } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { loopFolder } from "../../storage/home/project.ts";
import type { Examination, NamedCheck } from "../../verify/checks/run-checks.ts";
import type { Check } from "../../core/loop/criterion.ts";
import { openingsOf } from "../../verify/baseline/loop-openings.ts";
import { takeOpening } from "../../verify/baseline/take-opening.ts";
import type { OpeningOptions } from "../../verify/baseline/take-opening.ts";

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

/** Criteria that a command decides. */
export function checksOf(
  criteria: readonly { readonly name: string; readonly check: Check | null }[],
): readonly NamedCheck[] {
  return criteria.flatMap(({ name, check }) => (check === null ? [] : [{ name, check }]));
}

/** The opening of a frame pushed onto an open loop, or of a criterion added to it. */
export async function keepLaterOpening(
  machine: Machine,
  locked: LockedLoop,
  criteria: Parameters<typeof checksOf>[0],
  { isFrame, looked }: { readonly isFrame: boolean; readonly looked?: Examination | undefined },
): Promise<void> {
  const { live, workplace } = locked;
  const which = openingsOf(machine, locked);
  const options: OpeningOptions = {
    place: { root: workplace.root, home: machine.home },
    which: isFrame ? { ...which, depth: which.depth + 1 } : which,
    folder: live.loop.folder,
    now: machine.now(),
    reading: await machine.git.readTree(workplace.root),
    ...(looked === undefined ? {} : { looked }),
  };
  await takeOpening(options, checksOf(criteria), { isFrame });
}
