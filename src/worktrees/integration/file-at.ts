import { isObjectId, withObjects, type Repository } from "./repository.ts";

/** The content of a file in a commit; null: it isn't there, or git doesn't say. */
export async function fileAt(repository: Repository, commit: string, path: string): Promise<Buffer | null> {
  if (!isObjectId(commit)) return null;
  try {
    return await withObjects(repository, async (store) =>
      store.run(["cat-file", "blob", `${commit}:${path}`]),
    );
  } catch {
    return null;
  }
}
