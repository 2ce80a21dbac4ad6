import { setTimeout as sleep } from "node:timers/promises";
import type { Machine } from "../../storage/loops/machine.ts";
import { findConfig } from "../../storage/home/project-config.ts";
import type { Standpoint } from "../../storage/home/project.ts";
import { acquireResources } from "../../worktrees/attempts/resources.ts";

const LOOK_AGAIN_MS = 100;

/**
 * Waits for one unit of each resource that the project's approved config names, and takes them: `{"db": 1}` lets one command at a time
 * use the database, whichever process of this machine runs it. The answer gives them back.
 */
export async function takeResources(
  { home }: Pick<Machine, "home">,
  standpoint: Standpoint,
  signal: AbortSignal | null,
): Promise<() => void> {
  const found = findConfig(home, standpoint);
  const resources = found.type === "trusted" ? (found.config.resources ?? {}) : {};
  for (;;) {
    signal?.throwIfAborted();
    const acquired = acquireResources({ stateHome: home, root: standpoint.project.root, resources });
    if (acquired.type === "acquired") return acquired.release;
    await sleep(LOOK_AGAIN_MS);
  }
}
