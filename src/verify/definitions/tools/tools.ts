import type { DefinitionChange } from "../definition.ts";
import { below, foldersUpwards, nameOf, spellings } from "../project-files.ts";
import type { Mistake } from "../source-judge.ts";
import { isTestPath, mayBeSource, type Family } from "../test-files.ts";
import { JAVASCRIPT_TOOLS, NODE_SURROUNDINGS } from "./javascript.ts";
import { OTHER_TOOLS } from "./other-languages.ts";
import { PYTHON_SURROUNDINGS, PYTHON_TOOLS } from "./python.ts";

/** A program that judges: where it looks for its configuration, and which tests it runs. */
export interface Tool {
  /** Its names, with commas between them; a name may have a subcommand: `cargo test`. */
  readonly commands: string;
  /**
   * The language whose test files define the check; or another program judges, one that it runs or that it builds. Without: it
   * judges the source.
   */
  readonly tests?: Family | "wrapped" | "built";
  /** What it reports in the source, and in which language; without one: in any. */
  readonly reports?: Mistake;
  readonly language?: Family;
  /** Files it reads where it runs and in parent folders: patterns with braces, with blanks between them. */
  readonly files?: string;
  /** Parts of shared files, where it runs and in parent folders. */
  readonly parts?: { readonly [file: string]: readonly string[] };
  /** Of a folder that its command names, it runs every file, whatever its name. */
  readonly runsFolders?: true;
  /** Files it reads in any folder. */
  readonly anywhere?: RegExp;
  /** It also runs tests inside source files, if its arguments or configuration say so. */
  readonly inline?: RegExp;
}

const TOOLS: readonly Tool[] = [...JAVASCRIPT_TOOLS, ...PYTHON_TOOLS, ...OTHER_TOOLS];

const BY_COMMAND = new Map(
  TOOLS.flatMap((tool) => tool.commands.split(", ").map((command) => [command, tool] as const)),
);

/** The tool that a program and its arguments mean; a subcommand may come after options. */
export function toolOf(program: string, args: readonly string[]): Tool | null {
  for (const word of args) {
    const tool = BY_COMMAND.get(`${program} ${word}`);
    if (tool !== undefined) return tool;
  }
  return BY_COMMAND.get(program) ?? null;
}

/** Files that change how any program of a language runs. */
export function surroundingsOf({ tests }: Tool): readonly string[] {
  return tests === "javascript" ? NODE_SURROUNDINGS : tests === "python" ? PYTHON_SURROUNDINGS : [];
}

/** Where a tool looks for its own files when it runs in a folder. */
export function configFiles(tool: Tool, folder: string): readonly string[] {
  const names = namesOf(tool);
  return foldersUpwards(folder).flatMap((each) => names.map((name) => below(each, name)));
}

/** Where it looks for its parts of shared files. */
export function configParts(
  { parts = {} }: Tool,
  folder: string,
): readonly (readonly [path: string, part: string])[] {
  return foldersUpwards(folder).flatMap((each) =>
    Object.entries(parts).flatMap(([file, names]) => names.map((name) => [below(each, file), name] as const)),
  );
}

function namesOf({ files }: Tool): readonly string[] {
  return files === undefined ? [] : files.split(" ").flatMap(spellings);
}

const MANAGER_FILES = [".pnpmfile.cjs", ".yarnrc", ".yarnrc.yml", "bunfig.toml"];

/** What many projects call a source, too: where a check runs it, its change says so. */
const COMMON_SOURCE = new Set(["tasks.py"]);

const CONFIG_FILES: ReadonlySet<string> = new Set(
  [...TOOLS.flatMap(namesOf), ...NODE_SURROUNDINGS, ...PYTHON_SURROUNDINGS, ...MANAGER_FILES].filter(
    (name) => !COMMON_SOURCE.has(name),
  ),
);

/**
 * How a changed file is listed. What a check is known to depend on comes first; a shared file is source as long as none of its
 * parts changed.
 */
export function kindOf(
  path: string,
  changes: readonly DefinitionChange[] = [],
): "source" | "test" | "definition" {
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
