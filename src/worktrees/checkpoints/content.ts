import { parseCommit } from "./commit.ts";
import type { CheckpointStore } from "./store.ts";
import { parsePaths, type IndexEntry } from "../../system/tree/index-listing.ts";

/** A file's mode and object, as git writes them: `100644 ID`. Equal texts are equal files. */
export type Version = string;

export interface CheckpointContent {
  /** Seconds; from before the first file was read. */
  readonly at: number;
  /** By path, as bytes in latin1. */
  readonly files: ReadonlyMap<string, Version>;
  readonly leftOut: ReadonlySet<string>;
}

/** Throws if it isn't a checkpoint or is incomplete. */
export async function readCheckpoint(store: CheckpointStore, id: string): Promise<CheckpointContent> {
  const commit = /^[0-9a-f]{40,64}$/.test(id)
    ? await store.run(["cat-file", "commit", id]).then(parseCommit, () => null)
    : null;
  if (commit === null) throw new Error(`${id.slice(0, 64)} is not a checkpoint in this repository.`);
  const files = new Map<string, Version>();
  for (const line of parsePaths(await store.run(["ls-tree", "-r", "-z", "--full-tree", commit.tree]))) {
    const { path, version } = parseEntry(line);
    if (version === null || !isPlainPath(path) || store.git.stores.includes(path)) {
      throw new Error(`The checkpoint ${id.slice(0, 12)} has an entry that does not belong in a checkpoint.`);
    }
    files.set(path, version);
  }
  return { at: commit.at, files, leftOut: new Set(commit.leftOut) };
}

/** The same for the current worktree. */
export function versionsOf(files: readonly IndexEntry[]): ReadonlyMap<string, Version> {
  return new Map(
    files.map(({ path, line }) => [path, line.slice(0, line.lastIndexOf(" ", line.indexOf("	")))]),
  );
}

function parseEntry(line: string): { readonly path: string; readonly version: Version | null } {
  const [, mode, object, path = ""] = /^(100644|100755|120000) blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
  return { path, version: mode === undefined ? null : `${mode} ${object}` };
}

/** Anyone who can write objects can write such a tree; it must not lead out of the worktree or into its `.git`. */
export function isPlainPath(path: string): boolean {
  return !/(?:^|\/)(?:\.{0,2}|\.git|git~1)(?:\/|$)/i.test(path);
}
