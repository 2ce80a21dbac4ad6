import { partsOf } from "../parts/parts.ts";
import { folderOf, pathIn, nameOf } from "../project-files.ts";
import type { Survey } from "../survey.ts";
import { spelledFrom } from "../named-files.ts";

interface Configured {
  /** Globs for further files with tests. */
  readonly globs: readonly string[];
  /** Files loaded before the tests. */
  readonly setup: readonly string[];
  readonly texts: readonly string[];
}

const TEST_KEYS =
  /["']?\b(?:include|testMatch|testDir|spec|specPattern|files|test_dir)["']?\s*:\s*(\[[^\]]{0,1000}\]|"[^"\n]*"|'[^'\n]*'|`[^`\n]*`)/g;
/** Where to look for tests, and for the source that is looked at with them. */
const ROOT_KEYS = /["']?\broots["']?\s*:\s*(\[[^\]]{0,1000}\])/g;
const REGEX_KEYS =
  /["']?\btestRegex["']?\s*:\s*(\[[^\]]{0,1000}\]|"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|\/[^\n]{1,200}\/)/g;
const SETUP_KEYS =
  /["']?\b(?:setupFiles|setupFilesAfterEach|setupFilesAfterEnv|globalSetup|globalTeardown|require|import|preload|nodeArguments|runner|reporters?|testEnvironment|environment|snapshotResolver|resolver|sequencer|transform|helpers|supportFile)["']?\s*[:=]\s*(\[[^\]]{0,1000}\]|\{[^}]{0,1000}\}|"[^"\n]*"|'[^'\n]*'|`[^`\n]*`)/g;
const PYTHON_KEYS =
  /^\s*(?:testpaths|python_files)\s*=\s*((?:\[[^\]]{0,1000}\])|[^\n]*(?:\n[ \t]+[^\n]+)*)/gm;

const LONGEST_CONFIG = 64 * 1024;

/**
 * What the configuration says beyond the conventions: where tests are, and what is loaded first. It only adds. `parts`: those of
 * shared files. The `files` of a package.json are what it publishes; only those of the runner's own part are tests.
 */
export async function configured(
  configs: readonly string[],
  parts: readonly (readonly [path: string, part: string])[],
  survey: Survey,
): Promise<Configured> {
  const globs: string[] = [];
  const setup: string[] = [];
  const texts: string[] = [];
  for (const config of new Set([...configs, ...parts.map(([path]) => path)])) {
    const whole = (await survey.files.read(config))?.slice(0, LONGEST_CONFIG);
    if (whole === undefined) continue;
    const shared = parts.flatMap(([path, part]) => (path === config ? [part] : []));
    const text = shared.length > 0 && config.endsWith(".json") ? ownParts(config, whole, shared) : whole;
    texts.push(text);
    const home = folderOf(config);
    if (/\.(?:ini|cfg|toml)$/.test(config)) globs.push(...pythonGlobs(text, home, survey));
    const own = withoutCoverage(text);
    for (const value of valuesOf(own, TEST_KEYS)) {
      const path = isAboutTests(value) ? pathIn(home, value.replace(/^<rootDir>\//, ""), survey.root) : null;
      if (path !== null && path !== "") globs.push(path);
    }
    for (const value of valuesOf(own, ROOT_KEYS)) {
      const path = TELLS.test(value) ? pathIn(home, value.replace(/^<rootDir>\//, ""), survey.root) : null;
      if (path !== null && path !== "") globs.push(`${path}/**`);
    }
    for (const [, regex = ""] of own.matchAll(REGEX_KEYS)) globs.push(...globsOfRegex(regex));
    for (const value of valuesOf(own, SETUP_KEYS)) {
      const path = /^(?:<rootDir>|\.{0,2})\/|\.[cm]?[jt]sx?$/.test(value)
        ? pathIn(home, value.replace(/^<rootDir>\//, ""), survey.root)
        : null;
      const found = path === null ? undefined : withEnding(path, survey);
      if (found !== undefined) setup.push(found);
    }
  }
  return { globs, setup, texts };
}

function ownParts(path: string, text: string, parts: readonly string[]): string {
  const partIn = partsOf(path, text);
  return parts.flatMap((part) => partIn(part) ?? []).join("\n");
}

function valuesOf(text: string, keys: RegExp): readonly string[] {
  return [...text.matchAll(keys)].flatMap(([, value = ""]) =>
    [...value.matchAll(/"([^"\n]*)"|'([^'\n]*)'|`([^`\n]*)`/g)].map(
      ([, one, two, three]) => one ?? two ?? three ?? "",
    ),
  );
}

function withEnding(path: string, survey: Survey): string | undefined {
  return ["", ".ts", ".js", ".mjs", ".cjs", ".mts", ".tsx", "/index.ts", "/index.js"]
    .map((ending) => path + ending)
    .find((each) => survey.has.has(each));
}

/** Coverage patterns are source: `coverage: { include: ["src/**"] }`. */
function withoutCoverage(text: string): string {
  const at = text.search(/["']?\bcoverage["']?\s*:\s*\{/);
  if (at === -1) return text;
  let depth = 0;
  for (let end = text.indexOf("{", at); end < text.length; end += 1) {
    if (text[end] === "{") depth += 1;
    if (text[end] === "}" && (depth -= 1) === 0) return text.slice(0, at) + text.slice(end + 1);
  }
  return text.slice(0, at);
}

const SOURCE_FOLDER = /^(?:\.\/)?(?:src|lib|app|apps|packages|source|server|client|\*\*?|\.)(?:\/|$)/;

const TELLS = /test|spec|e2e|check|verif|suite|\bqa\b/i;

/** A pattern for all sources doesn't make them tests. */
function isAboutTests(glob: string): boolean {
  return TELLS.test(glob) || !SOURCE_FOLDER.test(glob);
}

/** Whether a folder's own name says that there are tests in it. */
export function isNamedForTests(folder: string): boolean {
  return TELLS.test(nameOf(folder));
}

/** The words in a regular expression that say what tests are called, `\\.case\\.ts$`, or where they are, `/cases/.*`. */
function globsOfRegex(regex: string): readonly string[] {
  const plain = regex.replaceAll("\\\\", "\\");
  const names = [...plain.matchAll(/\\\.([\w-]{3,})\\\./g)].map(([, name = ""]) => `**/*.${name}.*`);
  const folders = [...plain.matchAll(/\/([\w-]{3,})\/\.\*/g)].map(([, name = ""]) => `**/${name}/**`);
  return [...names, ...folders];
}

function pythonGlobs(text: string, home: string, survey: Survey): readonly string[] {
  return [...text.matchAll(PYTHON_KEYS)]
    .flatMap(([, value = ""]) => value.split(/[\s,[\]"']+/))
    .filter((word) => word !== "" && isAboutTests(word))
    .flatMap((word) => {
      if (word.endsWith(".py")) return pathIn(home, `**/${word}`, survey.root) ?? [];
      return pathIn(home, `${word}/**/*.py`, survey.root) ?? [];
    });
}

const EXTENDS =
  /["']?\bextends["']?\s*[:=]\s*(\[[^\]]{0,1000}\]|"[^"\n]*"|'[^'\n]*')|["']?\bpath["']?\s*:\s*("[^"\n]*")/g;
const IMPORTS = /\b(?:from|import|require\s*\(|import\s*\()\s*(?:"(\.[^"\n]*)"|'(\.[^'\n]*)')/g;
const NOT_OF_CONFIGS = /(?:^|\/)(?:src|lib|app|dist|build|node_modules)\//;
const SCRIPT = /\.[cm]?[jt]s$/;
const MOST_CONFIGS = 50;

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
  return NOT_OF_CONFIGS.test(path) && !/config|setup/i.test(nameOf(path)) ? null : path;
}

/** Only paths: a package name leads to installed code. */
function resolved(config: string, named: string, survey: Survey): string | null {
  if (!/^\.{0,2}\/|^\.\.?$/.test(named) && !/\.(?:json|toml|ya?ml|[cm]?[jt]s)$/.test(named)) return null;
  const path = pathIn(folderOf(config), named, survey.root);
  if (path === null) return null;
  return [path, `${path}.json`, `${path}/tsconfig.json`].find((each) => survey.has.has(each)) ?? null;
}
