import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { DefinitionChange } from "../definitions/definition.ts";
import {
  isStandardModule,
  REQUIREMENT_FILES,
  requiredModules,
  topModuleOf,
} from "../definitions/python-modules.ts";
import { below, folderOf } from "../definitions/project-path.ts";
import type { Listing, Place } from "./kept-files.ts";
import { readKept } from "./kept-files.ts";
import type { Opening } from "./opening-record.ts";

interface ShadowOptions {
  readonly place: Place;
  readonly opening: Opening;
  readonly before: Listing;
  readonly now: Listing;
}

/**
 * New files that take the place of a module which the tests, or their runner, import: `csv.py` in the project instead of Python's
 * own. Such a file may be the work, too.
 */
export async function shadowsOf(options: ShadowOptions): Promise<readonly DefinitionChange[]> {
  const { opening, before, now } = options;
  if (!runsPython(opening)) return [];
  const added = [...now.keys(), ...(await unlistedModules(options))].flatMap((path) => {
    const name = before.has(path) ? null : topModuleOf(path, (each) => now.has(each));
    return name === null ? [] : [{ path, name }];
  });
  if (added.length === 0) return [];
  const required = await requiredThen(options);
  return added
    .filter(({ name }) => isStandardModule(name) || required.has(name.toLowerCase()))
    .map(({ path }) => ({ kind: "input", path, part: null, change: "added" }));
}

function runsPython({ meaning }: Opening): boolean {
  return (
    meaning?.definitions.some(
      ({ path, digest }) => path.endsWith("sitecustomize.py") || (digest !== null && path.endsWith(".py")),
    ) === true
  );
}

const MOST_FOLDERS = 50;

/** Files that git ignores, where Python looks first: next to what judges, and at the top. */
async function unlistedModules({ place, opening, now }: ShadowOptions): Promise<readonly string[]> {
  const judges = opening.meaning?.definitions.filter(
    ({ digest, path }) => digest !== null && path.endsWith(".py"),
  );
  const folders = new Set(["", ...(judges ?? []).map(({ path }) => folderOf(path))]);
  const found: string[] = [];
  for (const folder of [...folders].slice(0, MOST_FOLDERS)) {
    const entries = await readdir(join(place.root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = below(folder, entry.name);
      if (entry.isFile() && entry.name.endsWith(".py") && !now.has(path)) found.push(path);
    }
  }
  return found;
}

async function requiredThen({ place, opening, before }: ShadowOptions): Promise<ReadonlySet<string>> {
  const paths = [...before.keys()].filter((path) => REQUIREMENT_FILES.test(path));
  if (paths.length === 0) return new Set();
  const files = await readKept(place, opening.kept, new Set(paths));
  return new Set(
    [...files].flatMap(([path, { content }]) => [...requiredModules(path, content.toString("utf8"))]),
  );
}
