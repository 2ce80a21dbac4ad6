import { open, readdir, stat } from "node:fs/promises";
import { join, dirname } from "node:path";
import { existsSync } from "node:fs";
import { findOnPath } from "../../system/files/find-on-path.ts";

export interface ProposedCheck {
  /** A statement that is true when the command succeeds. */
  readonly name: string;
  readonly command: string;
  /** Where the proposal comes from, for the person who decides. */
  readonly source: string;
}

/** What a project is set up for, whether or not it can run here. */
export interface FoundCheck extends ProposedCheck {
  /** What it needs that is not here, as a sentence that says what to do first; null: it runs as it stands. */
  readonly obstacle: string | null;
}

export const TESTS_PASS = "tests pass";
export const LINT_CLEAN = "lint clean";
export const NO_TYPE_ERRORS = "no type errors";
export const BUILD_SUCCEEDS = "build succeeds";
export const FORMAT_CLEAN = "format clean";
export const PROJECT_CHECK_PASSES = "project check passes";

export function notInstalled(source: string, program: string): string {
  return `${source} needs ${program}, which is not installed.`;
}

const LARGEST_FILE_BYTES = 1024 * 1024;

/** What discovery may read of a project: the text of small files and the names in a folder. Never throws. */
export interface ProjectFiles {
  /** Null if it is missing, not a file, too large or unreadable. */
  read(path: string): Promise<string | null>;
  has(path: string): Promise<boolean>;
  names(folder: string): Promise<readonly string[]>;
}

export function projectFiles(root: string): ProjectFiles {
  return {
    read: (path) => readSmallFile(join(root, path)).catch(() => null),
    has: (path) =>
      stat(join(root, path)).then(
        (found) => found.isFile(),
        () => false,
      ),
    names: (folder) => readdir(join(root, folder)).catch(() => []),
  };
}

async function readSmallFile(path: string): Promise<string | null> {
  // Checked before opening it: opening a pipe would wait for a writer.
  if (!(await stat(path)).isFile()) return null;
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    return size > LARGEST_FILE_BYTES ? null : await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

/** The programs that a command line of the project would find. */
export interface Tools {
  /** Where it lies on PATH. */
  readonly onPath: (program: string) => string | null;
  /** Among what the project's packages brought, here or in a folder above, where package managers look, too. */
  readonly inNodeModules: (program: string) => boolean;
  readonly env: NodeJS.ProcessEnv;
}

export function toolsOf(folder: string, env: NodeJS.ProcessEnv): Tools {
  return {
    onPath: (program) => findOnPath(program, env),
    inNodeModules: (program) =>
      upwardsFrom(folder).some((each) => existsSync(join(each, "node_modules", ".bin", program))),
    env,
  };
}

function upwardsFrom(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwardsFrom(above)];
}

/** Whether a TOML or INI text has a section, or one below it. */
export function hasSection(text: string | null, section: string): boolean {
  return (text ?? "").split("\n").some((line) => {
    const name = sectionOf(line);
    return name === section || name?.startsWith(`${section}.`) === true;
  });
}

/** What a setting of the section is, as it stands on its line; null where the section does not have it. */
export function settingIn(text: string | null, section: string, key: string): string | null {
  let current = "";
  for (const line of (text ?? "").split("\n")) {
    current = sectionOf(line) ?? current;
    const [, name, value = ""] = /^\s*([\w-]+)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? [];
    if (current === section && name === key) return value;
  }
  return null;
}

function sectionOf(line: string): string | null {
  return /^\s*\[\[?\s*([^\]]+?)\s*\]/.exec(line)?.[1] ?? null;
}
