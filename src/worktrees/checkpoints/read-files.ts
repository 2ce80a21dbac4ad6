import { readCheckpoint, type Version } from "./content.ts";
import type { KeptFile } from "./files.ts";
import { keptFiles } from "./objects.ts";
import { withStore } from "./store.ts";
import { toText } from "../../system/tree/git-tree.ts";

interface Which {
  readonly root: string;
  readonly stateHome: string;
  readonly commit: string;
}

const TIME_LIMIT_MS = 2 * 60_000;

/** The files in a checkpoint, by path, and those that were too large to keep. Throws if it is incomplete. */
export async function versionsInCheckpoint(
  which: Which,
): Promise<{ readonly versions: ReadonlyMap<string, Version>; readonly leftOut: ReadonlySet<string> }> {
  return withStore({ ...which, signal: AbortSignal.timeout(TIME_LIMIT_MS) }, async (store) => {
    const { files, leftOut } = await readCheckpoint(store, which.commit);
    return {
      versions: new Map([...files].map(([path, version]) => [toText(path), version])),
      leftOut: new Set([...leftOut].map(toText)),
    };
  });
}

/** The contents of these files, without those that the checkpoint doesn't have. */
export async function filesInCheckpoint(
  which: Which,
  paths: ReadonlySet<string>,
): Promise<ReadonlyMap<string, KeptFile>> {
  return withStore({ ...which, signal: AbortSignal.timeout(TIME_LIMIT_MS) }, async (store) => {
    const { files } = await readCheckpoint(store, which.commit);
    const wanted = new Map([...files].filter(([path]) => paths.has(toText(path))));
    const found = new Map<string, KeptFile>();
    for await (const file of keptFiles(store, wanted)) found.set(toText(file.path), file);
    return found;
  });
}
