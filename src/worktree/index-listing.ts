import type { GitOutcome } from "./spawn-git.ts";

/** Paths are bytes in latin1: what git says is handed back to git unchanged, whatever its encoding. */
export interface IndexEntry {
  readonly mode: string;
  readonly object: string;
  readonly path: string;
}

export const GITLINK_MODE = "160000";

/** Of `git ls-files --stage -z`. */
export function parseListing(stdout: Buffer): IndexEntry[] {
  return parsePaths(stdout).map((line) => {
    const tab = line.indexOf("\t");
    const [mode = "", object = ""] = line.slice(0, tab).split(" ");
    return { mode, object, path: line.slice(tab + 1) };
  });
}

export function parsePaths(stdout: Buffer): string[] {
  return stdout.toString("latin1").split("\0").slice(0, -1);
}

export function renderPaths(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
}

/** For the steps of which any failure makes the whole digest impossible. */
export function expectSuccess(outcome: GitOutcome): Buffer {
  if (!outcome.ok) throw new Error(`git failed: ${outcome.message}`);
  return outcome.stdout;
}
