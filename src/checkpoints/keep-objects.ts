import { renderPack, type GitObject } from "./git-objects.ts";
import { MOST_WRITTEN_OBJECTS } from "./limits.ts";
import { writeLooseObjects } from "./loose-objects.ts";
import type { CheckpointStore } from "./store.ts";

/**
 * Puts objects into the repository, so that a loss of power can't take them away. `areNew`: most of them are, and it is not
 * worth a process of git's to find the others. Git knows the permissions of a shared repository.
 */
export async function keepObjects(
  store: CheckpointStore,
  objects: readonly GitObject[],
  { areNew }: { readonly areNew: boolean },
): Promise<void> {
  if (areNew && !store.isShared && objects.length <= MOST_WRITTEN_OBJECTS) {
    await writeLooseObjects(store.objects, objects);
  } else {
    await store.run(["unpack-objects", "-q"], { input: renderPack(store.git.hash, objects) });
  }
}
