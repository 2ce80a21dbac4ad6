import { renderPack, type GitObject } from "./git-objects.ts";
import { MOST_WRITTEN_OBJECTS } from "./limits.ts";
import { writeLooseObjects } from "./loose-objects.ts";
import type { CheckpointStore } from "./store.ts";

/**
 * Puts objects into the repository, so that a loss of power can't take them away. A few are written without git, whose start
 * would take longer. Git knows the permissions of a shared repository.
 */
export async function keepObjects(store: CheckpointStore, objects: readonly GitObject[]): Promise<void> {
  if (!store.isShared && objects.length <= MOST_WRITTEN_OBJECTS) {
    await writeLooseObjects(store.objects, objects);
  } else {
    await store.run(["unpack-objects", "-q"], { input: renderPack(store.git.hash, objects) });
  }
}
