import { addAll, entriesOfLarge, withoutIgnored } from "./add-all.ts";
import { borrowIndex, type BorrowedIndex, type IndexFacts } from "./cached-index.ts";
import { findGitFolders, type GitFolders } from "../git/git-files.ts";
import {
  ignoreRules,
  isInTree,
  projectIndexIdentity,
  trackedPaths,
  trackedThoughIgnored,
} from "./ignored-files.ts";
import {
  readIndexFile,
  expectSuccess,
  isGitlink,
  parseListing,
  parsePaths,
  renderPaths,
  toText,
  byPath,
} from "./index-entries.ts";
import type { IndexEntry } from "./index-entries.ts";
import { recallTree } from "./known-trees.ts";
import { GitMissing, openPrivateGit, type PrivateGit } from "./private-git.ts";

export interface GitTree {
  readonly files: readonly IndexEntry[];
  /** Nested repositories. */
  readonly nested: readonly string[];
  /** Files and folders that could not be read and are left out. */
  readonly unread: readonly string[];
  /** What is uncertain about the rest, in a few words. */
  readonly doubts: readonly string[];
}

interface Reading {
  readonly git: PrivateGit;
  readonly folders: GitFolders;
  readonly signal: AbortSignal;
}

/** Tracked and untracked, unignored files of a git project, as they are on disk; throws if they cannot be read. */
export async function readGitTree(options: {
  readonly root: string;
  readonly stateHome: string;
  readonly signal: AbortSignal;
}): Promise<GitTree> {
  const folders = findGitFolders(options.root);
  if (folders === null) throw new Error(`${options.root} has no usable .git`);
  const git = await openPrivateGit({ ...options, folders });
  const memory = recallTree(git, projectIndexIdentity(folders));
  if (memory.tree !== null) return memory.tree;
  const reading = { git, folders, signal: options.signal };
  // After a damaged cache, or a file that changed while git read it, try again from scratch.
  const tree = await readWith(reading, "cache").catch((error: unknown) => {
    if (options.signal.aborted || error instanceof GitMissing) throw error;
    return readWith(reading, "nothing");
  });
  memory.keep(tree);
  return tree;
}

async function readWith(reading: Reading, from: "cache" | "nothing"): Promise<GitTree> {
  const index = borrowIndex(reading.git.folder, reading.git.hash, from);
  try {
    return await bringUpToDate(reading, index);
  } finally {
    index.giveBack();
  }
}

async function bringUpToDate(reading: Reading, index: BorrowedIndex): Promise<GitTree> {
  const { git } = reading;
  const { unborn, unread, large } = await addAll(git, index);
  let entries = await listEntries(git, index.path);
  const { facts, ignored, doubts } = await currentFacts(reading, index, entries, large);

  const missing = missingFrom([...entries.map(({ path }) => path), ...facts.large], facts.forced, git.root);
  if (missing.length > 0) {
    const args = ["update-index", "--add", "--remove", "-z", "--stdin"];
    expectSuccess(
      await git.run(args, { index: index.path, scratch: index.scratch, input: renderPaths(missing) }),
    );
    entries = await listEntries(git, index.path);
  }

  // Nested repositories don't stay in the index: git would run `git status` in them, with their configuration.
  const nested = entries.filter(isGitlink).map((entry) => entry.path);
  const removed = new Set([...ignored, ...nested]);
  if (removed.size > 0) {
    const args = ["update-index", "--force-remove", "-z", "--stdin"];
    expectSuccess(await git.run(args, { index: index.path, input: renderPaths([...removed]) }));
    entries = entries.filter((entry) => !removed.has(entry.path));
  }
  index.keep(facts);
  const looked = new Set(large);
  const isRead = ({ path }: IndexEntry): boolean =>
    !looked.has(path) &&
    !unread.some((each) => path === each || (each.endsWith("/") && path.startsWith(each)));
  const read = unread.length + large.length === 0 ? entries : entries.filter(isRead);
  const files = facts.large.length === 0 ? read : [...read, ...entriesOfLarge(git, facts.large)].sort(byPath);
  return {
    files: files.filter((entry) => !git.stores.includes(entry.path)),
    nested: [...nested, ...unborn].filter((path) => !git.stores.includes(path)).sort(),
    unread: unread.map(toText),
    doubts,
  };
}

/** The file is ours and usually in the format we ask git for; otherwise git reads it. */
export async function listEntries(git: PrivateGit, index: string): Promise<readonly IndexEntry[]> {
  const entries = readIndexFile(index, git.hash);
  if (entries !== null) return entries;
  return parseListing(expectSuccess(await git.run(["ls-files", "--stage", "-z"], { index })));
}

/**
 * Git keeps what it once added, even if a rule ignores it later, and doesn't add ignored files, even if the project tracks them.
 * Both are checked only when the rules or the project's index changed, since that costs as much as reading the tree.
 */
async function currentFacts(
  reading: Reading,
  index: BorrowedIndex,
  entries: readonly IndexEntry[],
  large: readonly string[],
): Promise<{ facts: IndexFacts; ignored: readonly string[]; doubts: readonly string[] }> {
  const { git, folders, signal } = reading;
  const projectIndex = projectIndexIdentity(folders);
  const rules = ignoreRules(git.root, entries, git.outerRules);
  const known = knownFacts(index, rules);
  if (
    known !== null &&
    (index.facts !== null || large.length === 0) &&
    (known.projectIndex === projectIndex || areStillForced(reading, { ...known, large }, entries))
  ) {
    return { facts: { ...known, large, projectIndex }, ignored: [], doubts: [] };
  }
  const args = ["ls-files", "-ci", "--exclude-standard", "-z"];
  const [listed, forced, seen] = await Promise.all([
    git.run(args, { index: index.path }),
    trackedThoughIgnored(git.root, git.excludesFile, signal),
    withoutIgnored(git, index, large),
  ]);
  if (forced !== null) noteForced(rules, forced);
  const tracked = new Set(forced ?? []);
  const ignored = parsePaths(expectSuccess(listed)).filter((path) => !tracked.has(path));
  const facts = {
    rules,
    forced: forced ?? [],
    large: [...new Set([...seen, ...large.filter((path) => tracked.has(path))])],
  };
  if (forced !== null) return { facts: { ...facts, projectIndex }, ignored, doubts: [] };
  return { facts: { ...facts, projectIndex: UNREADABLE_INDEX }, ignored, doubts: [UNREADABLE_INDEX] };
}

/** By rules: what another worktree of this process tracks although they ignore it. */
const forcedUnder = new Map<string, readonly string[]>();
const MOST_RULES = 64;

function noteForced(rules: string, forced: readonly string[]): void {
  forcedUnder.delete(rules);
  forcedUnder.set(rules, forced);
  const [oldest = rules] = forcedUnder.keys();
  if (forcedUnder.size > MOST_RULES) forcedUnder.delete(oldest);
}

/** A plan has a worktree for each attempt, and most of them track the same. Nothing stale is in an index that was just made. */
function knownFacts({ facts }: BorrowedIndex, rules: string): IndexFacts | null {
  if (facts !== null) return facts.rules === rules ? facts : null;
  const forced = forcedUnder.get(rules);
  return forced === undefined ? null : { rules, forced, large: [], projectIndex: OTHER_INDEX };
}

/** Never matches an index. */
const OTHER_INDEX = "of another worktree";

/** Never matches an index, so the next reading asks again. */
const UNREADABLE_INDEX =
  "the repository's index or HEAD is damaged, so files that are tracked but ignored may be missing";

/**
 * Whether the project's index, which was rewritten since, tracks the same ignored files as before. Under the same rules, every
 * listed file is either one of those or not ignored. So the answer is yes if the index still tracks each of them, and nothing
 * that isn't listed.
 */
function areStillForced(
  { git, folders }: Reading,
  { forced, large }: IndexFacts,
  entries: readonly IndexEntry[],
): boolean {
  const tracked = trackedPaths(folders, git.hash);
  if (tracked === null) return false;
  const listed = new Set([...entries.map(({ path }) => path), ...forced, ...large]);
  const trackedSet = new Set(tracked);
  return (
    forced.every((path) => trackedSet.has(path)) &&
    tracked.every((path) => listed.has(path) || git.stores.includes(path))
  );
}

function missingFrom(paths: readonly string[], forced: readonly string[], root: string): readonly string[] {
  if (forced.length === 0) return [];
  const present = new Set(paths);
  return forced.filter((path) => !present.has(path) && isInTree(root, path));
}
