import type { GitOutcome } from "../git/spawn-git.ts";

/** Paths are bytes in latin1: git's output goes back to git unchanged, whatever its encoding. */
export interface IndexEntry {
  readonly path: string;
  /** Mode, object, stage and path, as git lists them. */
  readonly line: string;
}

/** Parses `git ls-files --stage -z`. */
export function parseListing(stdout: Buffer): IndexEntry[] {
  return parsePaths(stdout).map((line) => ({ line, path: line.slice(line.indexOf("\t") + 1) }));
}

/** A repository inside the repository. */
export function isGitlink(entry: IndexEntry): boolean {
  return entry.line.startsWith("160000 ");
}

export function parsePaths(stdout: Buffer): string[] {
  return stdout.toString("latin1").split("\0").slice(0, -1);
}

export function renderPaths(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
}

/** For steps whose failure makes the whole digest impossible. */
export function expectSuccess(outcome: GitOutcome): Buffer {
  if (!outcome.ok) throw new Error(`git failed: ${outcome.message}`);
  return outcome.stdout;
}
