import type { DefinitionChange } from "../meaning/definition.ts";
import {
  isStandardModule,
  REQUIREMENT_FILES,
  requiredModules,
  topModuleOf,
} from "../meaning/python-modules.ts";
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
  const added = [...now.keys()].flatMap((path) => {
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

async function requiredThen({ place, opening, before }: ShadowOptions): Promise<ReadonlySet<string>> {
  const paths = [...before.keys()].filter((path) => REQUIREMENT_FILES.test(path));
  if (paths.length === 0) return new Set();
  const files = await readKept(place, opening.kept, new Set(paths));
  return new Set(
    [...files].flatMap(([path, { content }]) => [...requiredModules(path, content.toString("utf8"))]),
  );
}
