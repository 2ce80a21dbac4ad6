import { versionsOf, type Version } from "../checkpoints/content.ts";
import { gitObject, treesOf, type GitObject, keepObjects } from "../checkpoints/git-objects.ts";
import { keepContents } from "../checkpoints/keep-contents.ts";
import { listTree, objectOf, unwrittenTrees, type CheckpointStore } from "../checkpoints/store.ts";
import { addAll, entriesOfLarge } from "../../system/tree/add-all.ts";
import { borrowIndex, type BorrowedIndex } from "../../system/tree/cached-index.ts";
import { listEntries } from "../../system/tree/git-tree.ts";
import { byPath, isGitlink, renderPaths, type IndexEntry, toText } from "../../system/tree/index-entries.ts";
import { isByLooks } from "../../system/tree/file-version.ts";
import { withObjects, withWorktree, type Repository } from "./repository.ts";

type Files = ReadonlyMap<string, Version>;

/** A worktree's files as they lie on the disk, beside the commit that the work began at. */
export interface WorktreeFiles {
  readonly listed: readonly IndexEntry[];
  readonly base: Files;
  /** Files that could not be read, and repositories that were made or moved inside. No commit of ours can hold them. */
  readonly unkept: readonly string[];
}

const SUBMODULE = "160000 ";

/** Tracked and untracked, unignored files. What the base tracks counts although a rule ignores it. */
export async function readWorktreeFiles(store: CheckpointStore, base: string): Promise<WorktreeFiles> {
  const files = await filesOfTree(store, base);
  const index = borrowIndex(store.git.folder, store.git.hash, "cache");
  try {
    await beginAtBase(store, index, base, files);
    const { unborn, unread, large } = await addAll(store.git, index);
    const isLarge = new Set(large);
    const entries = await listEntries(store.git, index.path);
    const nested = entries.filter(isGitlink).filter(({ path, line }) => files.get(path) !== versionIn(line));
    const plain = entries.filter((entry) => !isGitlink(entry) && !isLarge.has(entry.path));
    const all = [...plain, ...entriesOfLarge(store.git, large)];
    return {
      listed: all.filter(({ path }) => !store.git.stores.includes(path)).toSorted(byPath),
      base: files,
      unkept: [...nested.map(({ path }) => path), ...unborn, ...unread].filter(
        (path) => !store.git.stores.includes(path),
      ),
    };
  } finally {
    index.giveBack();
  }
}

/** The tree's id, while nothing is written. Null when a file is too large to be kept in one. */
export function treeIdOf(store: CheckpointStore, files: WorktreeFiles): string | null {
  const versions = [...versionsOf(files.listed)];
  if (versions.some(([, version]) => isByLooks(version))) return null;
  return treesOf(store.git.hash, withBase(store, versions, files.base)).at(-1)?.id ?? null;
}

/** Writes the files' contents and their tree into the repository. Paths are bytes in latin1. */
export async function keepWorktreeFiles(
  store: CheckpointStore,
  files: WorktreeFiles,
): Promise<{ readonly tree: string; readonly leftOut: readonly string[] }> {
  // The repository has what the base holds.
  const known = new Set([...files.base.values()].map(objectOf));
  const kept = await keepContents(store, files.listed, known);
  const listed = versionsOf(files.listed);
  const held: (readonly [string, Version])[] = kept.tooLarge.flatMap((path) => {
    const version = files.base.get(path);
    return version === undefined ? [] : [[path, version] as const];
  });
  const trees = treesOf(store.git.hash, withBase(store, [...kept.files, ...held], files.base));
  const newTrees = await unwrittenTrees(store, trees);
  await keepObjects(store, [...kept.unwritten, ...newTrees]);
  const tooLarge = kept.tooLarge.filter((path) => listed.get(path) !== files.base.get(path));
  return { tree: trees.at(-1)?.id ?? "", leftOut: [...files.unkept, ...tooLarge].toSorted() };
}

/** By path, as bytes in latin1. */
export async function filesOfTree(store: CheckpointStore, commit: string): Promise<Files> {
  const lines = await listTree(store, commit);
  return new Map(
    lines.map((line) => {
      const [, mode = "", object = "", path = ""] = /^(\d{6}) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      return [path, `${mode} ${object}`];
    }),
  );
}

/**
 * Git counts an ignored file only if its index has it, so the index begins with what the base tracks. Files that an earlier reading
 * saw, and that are as the base has them, aren't read again (`-m`); what lies in the worktree decides nothing here (`-i`). Without
 * submodules: git would run `git status` in them, with their configuration.
 */
async function beginAtBase(
  store: CheckpointStore,
  index: BorrowedIndex,
  base: string,
  files: Files,
): Promise<void> {
  if (await hasAll(store, index, files)) return;
  await store.run(["read-tree", "-i", "-m", base], { index: index.path });
  const submodules = [...files].filter(([, version]) => version.startsWith(SUBMODULE));
  if (submodules.length === 0) return;
  const input = renderPaths(submodules.map(([path]) => path));
  await store.run(["update-index", "--force-remove", "-z", "--stdin"], { index: index.path, input });
}

/** Usually, since the last reading was of the same worktree. */
async function hasAll({ git }: CheckpointStore, index: BorrowedIndex, files: Files): Promise<boolean> {
  if (index.facts === null) return false;
  const seen = new Set((await listEntries(git, index.path)).map(({ path }) => path));
  for (const path of files.keys()) if (!seen.has(path)) return false;
  return true;
}

/** Submodules and stores of ours stay as the base has them, unless files have taken a submodule's place. */
function withBase(
  { git }: CheckpointStore,
  files: readonly (readonly [string, Version])[],
  base: Files,
): readonly (readonly [string, Version])[] {
  const paths = files.map(([path]) => path);
  const isTaken = (path: string): boolean =>
    paths.some((each) => each === path || each.startsWith(`${path}/`) || path.startsWith(`${each}/`));
  const stays = [...base].filter(
    ([path, version]) => git.stores.includes(path) || (version.startsWith(SUBMODULE) && !isTaken(path)),
  );
  return [...files, ...stays].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function versionIn(line: string): Version {
  return line.slice(0, line.lastIndexOf(" ", line.indexOf("\t")));
}

/** A commit whose only use is what it holds together. */
export function plainCommit(
  store: CheckpointStore,
  options: { readonly tree: string; readonly parent: string | null },
): GitObject {
  const parent = options.parent === null ? "" : `parent ${options.parent}\n`;
  const by = "Loopwright <loop@localhost> 0 +0000";
  const text = `tree ${options.tree}\n${parent}author ${by}\ncommitter ${by}\n\nmerge\n`;
  return gitObject(store.git.hash, "commit", Buffer.from(text));
}

/** The user's files that differ from a commit, staged or not; those that the commit has come first. Null when they can't be read. */
export async function uncommittedFiles(
  repository: Repository,
  commit: string,
): Promise<readonly string[] | null> {
  try {
    return await withObjects(repository, async (store) => {
      const { listed, base, unkept } = await readWorktreeFiles(store, commit);
      const now = versionsOf(listed);
      const paths = new Set([...now.keys(), ...base.keys()]);
      // A submodule's own files are its own affair.
      const differ = [...paths].filter(
        (path) => now.get(path) !== base.get(path) && base.get(path)?.startsWith("160000 ") !== true,
      );
      const all = [...new Set([...differ, ...unkept])];
      const inOrder = (isKnown: boolean): readonly string[] =>
        all
          .filter((path) => base.has(path) === isKnown)
          .map(toText)
          .toSorted();
      return [...inOrder(true), ...inOrder(false)];
    });
  } catch {
    return null;
  }
}

/**
 * The files of a commit that a worktree has otherwise, or not at all. What it has besides them doesn't count, nor do submodules, which
 * no worktree of ours brings along. Null when git doesn't say.
 */
export async function changedFrom(
  repository: Repository,
  worktree: string,
  commit: string,
): Promise<readonly string[] | null> {
  try {
    return await withWorktree(repository, worktree, async (store) => {
      const { listed, base } = await readWorktreeFiles(store, commit);
      const now = versionsOf(listed);
      const isOurs = (path: string): boolean => store.git.stores.includes(path);
      return [...base]
        .filter(([path, version]) => !version.startsWith("160000 ") && !isOurs(path))
        .filter(([path, version]) => now.get(path) !== version && now.get(path)?.includes(" large:") !== true)
        .map(([path]) => toText(path));
    });
  } catch {
    return null;
  }
}
