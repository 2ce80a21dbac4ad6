import { spelledFrom } from "../named-files.ts";
import { folderOf, nameOf, pathIn } from "../project-path.ts";
import type { Survey } from "../survey.ts";

const EXTENDS =
  /["']?\bextends["']?\s*[:=]\s*(\[[^\]]{0,1000}\]|"[^"\n]*"|'[^'\n]*')|["']?\bpath["']?\s*:\s*("[^"\n]*")/g;
const IMPORTS = /\b(?:from|import|require\s*\(|import\s*\()\s*(?:"(\.[^"\n]*)"|'(\.[^'\n]*)')/g;
const SOURCE_FOLDER = /(?:^|\/)(?:src|lib|app|dist|build|node_modules)\//;
const SCRIPT = /\.[cm]?[jt]s$/;
const MOST_CONFIGS = 50;
const LONGEST_CONFIG = 64 * 1024;

/** Configurations that others extend or refer to, recursively. */
export async function extendedConfigs(
  configs: readonly string[],
  survey: Survey,
): Promise<readonly string[]> {
  const found = new Set<string>();
  const waiting = [...new Set(configs)];
  for (let config = waiting.pop(); config !== undefined; config = waiting.pop()) {
    const text = (await survey.files.read(config))?.slice(0, LONGEST_CONFIG);
    for (const [, extended, reference] of (text ?? "").matchAll(EXTENDS)) {
      for (const [, one, two] of (extended ?? reference ?? "").matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)) {
        const path = resolved(config, one ?? two ?? "", survey);
        if (path === null || found.has(path) || found.size >= MOST_CONFIGS) continue;
        found.add(path);
        waiting.push(path);
      }
    }
  }
  for (const config of new Set(configs)) {
    if (!SCRIPT.test(config)) continue;
    const text = (await survey.files.read(config))?.slice(0, LONGEST_CONFIG);
    for (const [, one, two] of (text ?? "").matchAll(IMPORTS)) {
      const path = imported(config, one ?? two ?? "", survey);
      if (path !== null && found.size < MOST_CONFIGS) found.add(path);
    }
  }
  return [...found];
}

/** Code that a configuration is built from. What it imports from the source or a manifest is still the work. */
function imported(config: string, named: string, survey: Survey): string | null {
  const path = [...spelledFrom(folderOf(config), named)].find((each) => survey.has.has(each));
  if (path === undefined || nameOf(path) === "package.json") return null;
  return SOURCE_FOLDER.test(path) && !/config|setup/i.test(nameOf(path)) ? null : path;
}

/** Only paths: a package name leads to installed code. */
function resolved(config: string, named: string, survey: Survey): string | null {
  if (!/^\.{0,2}\/|^\.\.?$/.test(named) && !/\.(?:json|toml|ya?ml|[cm]?[jt]s)$/.test(named)) return null;
  const path = pathIn(folderOf(config), named, survey.root);
  if (path === null) return null;
  return [path, `${path}.json`, `${path}/tsconfig.json`].find((each) => survey.has.has(each)) ?? null;
}
