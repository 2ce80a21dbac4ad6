import { join } from "node:path";
import * as v from "valibot";
import type { LoopId } from "../../core/id.ts";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { lockFolder } from "../../storage/home/loop-lock.ts";

const schema = v.object({
  /** It names a folder, and goes into an agent's environment. */
  list: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,255}$/)),
  isNew: v.optional(v.boolean(), false),
  added: v.optional(v.array(v.string()), []),
});

export interface MirroredList {
  readonly list: string;
  /** The loop makes it, once it has tasks. Otherwise it has to be there. */
  readonly isNew: boolean;
  /** The tasks of the plan that were added to it. One that is missing there was deleted by somebody, and stays deleted. */
  readonly added: readonly string[];
}

/** Which of its host's task lists a loop mirrors. Kept outside the project, because a repository must not choose one of the user's lists. */
export function rememberTaskList(
  home: string,
  root: string,
  id: LoopId,
  { list, isNew = false, added = [] }: Pick<MirroredList, "list"> & Partial<MirroredList>,
): void {
  if (JSON.stringify(rememberedTaskList(home, root, id)) !== JSON.stringify({ list, isNew, added }))
    writePrivateJson(listPath(home, root, id), { list, isNew, added });
}

export function rememberedTaskList(home: string, root: string, id: LoopId): MirroredList | null {
  return readJsonFile(listPath(home, root, id), schema);
}

function listPath(home: string, root: string, id: LoopId): string {
  return join(lockFolder({ home, root, loop: id }), "task-list.json");
}
