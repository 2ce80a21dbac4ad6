import type { DefinitionChange } from "./definition.ts";
import { isTestPath } from "./judge-names.ts";
import { nameOf, spellings } from "./project-path.ts";
import { mayBeSource } from "./source-with-tests.ts";
import { NODE_SURROUNDINGS } from "./tools/javascript.ts";
import { PYTHON_SURROUNDINGS } from "./tools/python.ts";
import { TOOLS } from "./tools/tools.ts";

/** How a changed file is listed. */
export type PathKind = "source" | "test" | "definition";

const MANAGER_FILES = [".pnpmfile.cjs", ".yarnrc", ".yarnrc.yml", "bunfig.toml"];

const CONFIG_FILES: ReadonlySet<string> = new Set([
  ...TOOLS.flatMap((tool) => (tool.files ?? []).flatMap(spellings)),
  ...NODE_SURROUNDINGS,
  ...PYTHON_SURROUNDINGS,
  ...MANAGER_FILES,
]);

/** What a check is known to depend on comes first; a shared file is source as long as none of its parts changed. */
export function kindOf(path: string, changes: readonly DefinitionChange[] = []): PathKind {
  const kinds = new Set(changes.filter((change) => change.path === path).map((change) => change.kind));
  if (kinds.has("script") || kinds.has("config")) return "definition";
  if (kinds.has("test")) return "test";
  if (isConfig(path)) return "definition";
  // If a check treats it as a test, its change says so.
  if (mayBeSource(path, "javascript") || mayBeSource(path, "python")) return "source";
  return isTestPath(path) ? "test" : "source";
}

function isConfig(path: string): boolean {
  if (CONFIG_FILES.has(nameOf(path)) || TOOLS.some((tool) => tool.anywhere?.test(path) === true)) return true;
  return [...CONFIG_FILES].some((file) => file.includes("/") && (path === file || path.endsWith(`/${file}`)));
}
