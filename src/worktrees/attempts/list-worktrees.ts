import { existsSync } from "node:fs";
import { diskUse, type DiskUse } from "./disk-use.ts";
import { isLinked } from "./git-link.ts";
import { markersOf, worktreePath, type Marker } from "./marker.ts";

/** `live`: a process works in it. `resumable`: one could go on. `dead`: nobody will, and it can be removed. */
export type WorktreeState = "live" | "resumable" | "dead";

export interface WorktreeFacts {
  /** Whether the process that drives its loop is alive. */
  readonly isDriven: boolean;
  /** Whether its loop, or its task, has come to an end. */
  readonly hasEnded: boolean;
}

export interface ListedWorktree extends Marker {
  readonly path: string;
  readonly state: WorktreeState;
  readonly isThere: boolean;
  /** Whether git still knows it. It can be mended while its files are there. */
  readonly isLinked: boolean;
  readonly use: DiskUse;
}

export function worktreeState(facts: WorktreeFacts & { readonly isThere: boolean }): WorktreeState {
  if (!facts.isThere) return "dead";
  if (facts.isDriven) return "live";
  return facts.hasEnded ? "dead" : "resumable";
}

/** All worktrees of a project that are ours, by loop and name. */
export async function listWorktrees(
  project: { readonly stateHome: string; readonly root: string },
  factsOf: (marker: Marker) => WorktreeFacts | Promise<WorktreeFacts>,
): Promise<readonly ListedWorktree[]> {
  const listed: ListedWorktree[] = [];
  for (const marker of markersOf(project)) {
    const path = worktreePath({ ...project, ...marker });
    const isThere = existsSync(path) && marker.stage === "ready";
    const state = worktreeState({ ...(await factsOf(marker)), isThere });
    listed.push({
      ...marker,
      path,
      state,
      isThere,
      isLinked: isLinked(project.root, path),
      use: await diskUse(path),
    });
  }
  return listed;
}
