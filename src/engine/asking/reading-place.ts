import type { LoopId } from "../../core/loop/id.ts";
import { createScratch, removeScratch, roomsFolder } from "../../system/room/scratch.ts";
import { addPatiently } from "../../worktrees/attempts/add-worktree.ts";
import { readingName } from "../../worktrees/attempts/kept-attempt.ts";
import type { WorktreeName } from "../../worktrees/attempts/marker.ts";
import { readMarker } from "../../worktrees/attempts/marker.ts";
import { throwAway } from "../../worktrees/attempts/remove-worktree.ts";

/** Where an agent reads while it answers. Whatever it writes there is thrown away. */
export interface ReadingPlace {
  readonly path: string;
  readonly leave: () => Promise<void>;
}

export interface WantedPlace {
  readonly stateHome: string;
  readonly root: string;
  readonly loop: LoopId;
  readonly question: string;
  /** null: an empty folder. */
  readonly commit: string | null;
}

/** A worktree at the commit, or an empty folder where there is none; or why the files can't be shown. */
export async function openReadingPlace(
  wanted: WantedPlace,
): Promise<ReadingPlace | { readonly why: string }> {
  const { commit } = wanted;
  if (commit === null) return emptyPlace(wanted);
  const which = worktreeOf(wanted);
  // An earlier process was killed here.
  if (readMarker(which) !== null) await throwAway(which);
  const added = await addPatiently({ ...which, commit });
  switch (added.type) {
    case "there":
      return { path: added.path, leave: async () => void (await throwAway(which)) };
    case "no-repository":
      return emptyPlace(wanted);
    case "no-commit":
      return { why: `the commit ${commit.slice(0, 12)} is no longer in the repository` };
    case "in-the-way":
      return { why: `something else is at ${added.path}` };
    case "failed":
      return { why: `no worktree can be made (${added.why})` };
  }
}

export function worktreeOf({ stateHome, root, loop, question }: Omit<WantedPlace, "commit">): WorktreeName {
  return { stateHome, root, loop, name: readingName(question) };
}

async function emptyPlace({ stateHome }: WantedPlace): Promise<ReadingPlace> {
  const path = await createScratch(roomsFolder(stateHome));
  return { path, leave: async () => removeScratch(path) };
}
