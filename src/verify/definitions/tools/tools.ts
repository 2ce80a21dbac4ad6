import { JAVASCRIPT_TOOLS, NODE_SURROUNDINGS } from "./javascript.ts";
import { OTHER_TOOLS } from "./other-languages.ts";
import { PYTHON_TOOLS, PYTHON_SURROUNDINGS } from "./python.ts";
import type { Family } from "../test-files.ts";
import type { DefinitionChange } from "../definition.ts";
import { isTestPath, mayBeSource } from "../test-files.ts";
import { nameOf, spellings } from "../project-files.ts";

const TOOLS: readonly Tool[] = [...JAVASCRIPT_TOOLS, ...PYTHON_TOOLS, ...OTHER_TOOLS];

const BY_COMMAND = new Map(TOOLS.flatMap((tool) => tool.commands.map((command) => [command, tool] as const)));

/** The tool that a program and its arguments mean; a subcommand may come after options. */
export function toolOf(program: string, args: readonly string[]): Tool | null {
  for (const word of args) {
    const tool = BY_COMMAND.get(`${program} ${word}`);
    if (tool !== undefined) return tool;
  }
  return BY_COMMAND.get(program) ?? null;
}

/** A program that judges: where it looks for its configuration, and which tests it runs. */
export interface Tool {
  /** Its name, or its name and a subcommand: `cargo test`. */
  readonly commands: readonly string[];
  /** The language whose test files define the check; null: it judges the source, including tests. */
  readonly tests: Family | null;
  /** Files it reads where it runs and in parent folders, as patterns with braces. */
  readonly files?: readonly string[];
  /** Parts of shared files, where it runs and in parent folders. */
  readonly parts?: readonly (readonly [file: string, part: string])[];
  /** Files it reads in any folder. */
  readonly anywhere?: RegExp;
  /** It runs another program, which judges. */
  readonly wraps?: true;
  /** It also runs tests inside source files, if its arguments or configuration say so. */
  readonly inline?: RegExp;
}

/** How a changed file is listed. */
type PathKind = "source" | "test" | "definition";

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
