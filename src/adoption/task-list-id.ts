import { join } from "node:path";
import * as v from "valibot";
import type { LoopId } from "../core/id.ts";
import { readJsonFile, writePrivateJson } from "../files/json-file.ts";
import { lockFolder } from "../store/loop-lock.ts";

/** It names a folder, and goes into an agent's environment. */
const schema = v.object({ list: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,255}$/)) });

/** Which of its host's task lists a loop mirrors. Kept outside the project, because a repository must not choose one of the user's lists. */
export function rememberTaskList(home: string, root: string, id: LoopId, list: string): void {
  if (list !== rememberedTaskList(home, root, id)) writePrivateJson(listPath(home, root, id), { list });
}

export function rememberedTaskList(home: string, root: string, id: LoopId): string | null {
  return readJsonFile(listPath(home, root, id), schema)?.list ?? null;
}

function listPath(home: string, root: string, id: LoopId): string {
  return join(lockFolder(home, root, id), "task-list.json");
}
