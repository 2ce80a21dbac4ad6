import { renderPack, type GitObject } from "./git-objects.ts";
import { MOST_WRITTEN_OBJECTS } from "./limits.ts";
import { writeLooseObjects } from "./loose-objects.ts";
import type { CheckpointStore } from "./store.ts";

/**
 * Writes objects to the repository, safe against a power loss. A few are written without git, which would take longer to start.
 * Git knows the permissions of a shared repository.
 */
export async function keepObjects(store: CheckpointStore, objects: readonly GitObject[]): Promise<void> {
  if (!store.isShared && objects.length <= MOST_WRITTEN_OBJECTS) {
    await writeLooseObjects(store.objects, objects);
  } else {
    await store.run(["unpack-objects", "-q"], { input: renderPack(store.git.hash, objects) });
  }
}
