import { mkdirSync } from "node:fs";
import type { LockedLoop } from "../../../storage/loops/locked-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { projectFolder } from "../../../worktrees/attempts/marker.ts";

/** Where the worktrees of a project's tasks are. A host may ask its user before agents write there, and wants to see it. */
export function workersFolder({ home }: Machine, { live }: LockedLoop): string {
  const folder = projectFolder({ stateHome: home, root: live.project.root });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
