import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";

const schema = v.object({ root: v.string(), openedAt: v.string() });

export type KnownProject = v.InferOutput<typeof schema>;

/** Remembers where loops were opened, so they can be found from anywhere. */
export function rememberProject(home: string, root: string, now: number): void {
  const name = createHash("sha256").update(root).digest("hex").slice(0, 32);
  writePrivateJson(join(home, "projects", `${name}.json`), { root, openedAt: new Date(now).toISOString() });
}

export function knownProjects(home: string): readonly KnownProject[] {
  const folder = join(home, "projects");
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names.flatMap((name) => readJsonFile(join(folder, name), schema) ?? []);
}
