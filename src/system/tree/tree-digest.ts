import { listed } from "../../core/listed.ts";
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { readGitTree, type GitTree } from "./git-tree.ts";
import { realOrSame } from "../files/folders.ts";
import { knownPipe } from "../git/pipes.ts";
import { isByLooks } from "./file-version.ts";
import { GitMissing } from "./private-git.ts";
import { readWalkedFiles } from "./walked-files.ts";
import { toText } from "./index-entries.ts";

const TIME_LIMIT_MS = 60_000;
const DEEPEST_NESTING = 8;

export interface TreeDigestOptions {
  /** Top folder of the worktree. */
  readonly root: string;
  /** The state home; the digest's cache is inside it, never in the project. */
  readonly stateHome: string;
  readonly watch?: TreeWatch;
}

/** The project's files at one moment, passed on so that nobody reads them twice. */
export interface TreeReading {
  readonly digest: string;
  /** Milliseconds; from before the first file was read. */
  readonly at: number;
  /** Null if the project has no usable git repository. */
  readonly tree: GitTree | null;
  /** Mode and content of each file by path, if there is no such repository; otherwise null. */
  readonly walked: ReadonlyMap<string, string> | null;
  /** Why this doesn't cover the whole project, in a few words each; empty if it does. */
  readonly doubts: readonly string[];
}

/**
 * The project's files with a digest over path, mode and content, whatever is committed or staged. Unreadable files are left out
 * and named. Null if it takes too long: two nulls don't mean equal trees.
 */
export async function readTree({
  root,
  stateHome,
  watch = NOBODY_WAITS,
}: TreeDigestOptions): Promise<TreeReading | null> {
  const at = Date.now();
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  try {
    mkdirSync(stateHome, { recursive: true, mode: 0o700 });
    const folder = { root, stateHome, signal, watch, depth: 0, prefix: "" };
    const { unread, ...read } = await readFolder(folder);
    const doubts = [...read.doubts, ...leftOut(unread)];
    watch.ends(root, [...doubts, ...byLooks(read)]);
    return { at, ...read, doubts };
  } catch {
    return null;
  }
}

const MOST_NAMED = 3;

function leftOut(unread: readonly string[]): readonly string[] {
  return unread.length === 0 ? [] : [`left out because it cannot be read: ${named(unread)}`];
}

function byLooks({ tree, walked }: Pick<TreeReading, "tree" | "walked">): readonly string[] {
  const large =
    tree === null
      ? [...(walked ?? [])].flatMap(([path, version]) => (isByLooks(version) ? [path] : []))
      : tree.files.flatMap(({ path, line }) => (isByLooks(line.slice(0, 20)) ? [toText(path)] : []));
  if (large.length === 0) return [];
  return [`larger than 100 MB, so its size and time count instead of its content: ${named(large)}`];
}

function named(paths: readonly string[]): string {
  return listed(
    paths.map((path) => JSON.stringify(path)),
    MOST_NAMED,
  );
}

interface Folder {
  readonly root: string;
  readonly stateHome: string;
  readonly signal: AbortSignal;
  readonly watch: TreeWatch;
  readonly depth: number;
  /** Its path within the project, with a trailing slash. */
  readonly prefix: string;
}

type FolderReading = Omit<TreeReading, "at"> & { readonly unread: readonly string[] };

async function readFolder(folder: Folder): Promise<FolderReading> {
  if (lstatSync(join(folder.root, ".git"), { throwIfNoEntry: false }) === undefined) return walk(folder, []);
  const tree = await readGitTree(folder).catch((error: unknown) => {
    if (folder.signal.aborted) throw error;
    return whyNot(folder, error);
  });
  return typeof tree === "string" ? walk(folder, [tree]) : withNested(folder, tree);
}

function whyNot({ root, prefix }: Folder, error: unknown): string {
  if (error instanceof GitMissing) return "git cannot be started, so ignored files count too";
  const where = prefix === "" ? "the repository" : `the repository ${JSON.stringify(prefix)}`;
  const top = realOrSame(root);
  const pipe = knownPipe(top);
  const why = pipe === null ? "" : ` because ${JSON.stringify(relative(top, pipe))} is a pipe`;
  return `git cannot read ${where}${why}, so ignored files count too`;
}

async function walk(folder: Folder, doubts: readonly string[]): Promise<FolderReading> {
  const { digest, versions, unread } = await readWalkedFiles(folder);
  return {
    digest,
    tree: null,
    walked: versions,
    doubts,
    unread: unread.map((path) => `${folder.prefix}${path}`),
  };
}

async function withNested(folder: Folder, tree: GitTree): Promise<FolderReading> {
  const hash = createHash("sha256");
  hash.update(tree.files.map((file) => file.line).join("\0"), "latin1");
  const unread = tree.unread.map((path) => `${folder.prefix}${path}`);
  for (const path of tree.unread.toSorted()) hash.update(`unread ${path}\0`);
  const doubts = [...tree.doubts];
  for (const path of tree.nested) {
    const prefix = `${folder.prefix}${toText(path)}/`;
    if (folder.depth === DEEPEST_NESTING) {
      unread.push(prefix);
      hash.update(`unread ${path}\0`, "latin1");
      continue;
    }
    const inner = await readFolder({
      ...folder,
      root: join(folder.root, toText(path)),
      depth: folder.depth + 1,
      prefix,
    });
    unread.push(...inner.unread);
    doubts.push(...inner.doubts);
    hash.update(`nested ${inner.digest} ${path}\0`, "latin1");
  }
  folder.signal.throwIfAborted();
  return { digest: hash.digest("hex"), tree, walked: null, doubts: [...new Set(doubts)], unread };
}

/** Progress of reading files, for whoever waits. */
export interface TreeWatch {
  /** How many of how many files were read. */
  readonly reads: (done: number, all: number) => void;
  /** The reading is done. `notes`: what its user should know, in a few words each. */
  readonly ends: (root: string, notes: readonly string[]) => void;
}

export const NOBODY_WAITS: TreeWatch = { reads: () => undefined, ends: () => undefined };

/** The files that are in the later reading alone; none if either is unknown. */
export function addedPaths(before: TreeReading | null, after: TreeReading | null): readonly string[] {
  if (before === null || after === null || before.digest === after.digest) return [];
  const known = new Set(pathsOf(before));
  return pathsOf(after).filter((path) => !known.has(path));
}

/** The paths of files that were added, changed or removed; null: it cannot be told. */
export function differingPaths(
  before: TreeReading | null,
  after: TreeReading | null,
): readonly string[] | null {
  if (before === null || after === null) return null;
  const [then, now] = [versionsIn(before), versionsIn(after)];
  const all = new Set([...then.keys(), ...now.keys()]);
  return [...all].filter((path) => then.get(path) !== now.get(path));
}

function versionsIn({ tree, walked }: TreeReading): ReadonlyMap<string, string> {
  if (tree === null) return walked ?? new Map();
  return new Map(tree.files.map(({ path, line }) => [toText(path), line]));
}

/** The paths of all files that were read, in order. */
export function pathsOf({ tree, walked }: TreeReading): readonly string[] {
  const paths = tree === null ? [...(walked?.keys() ?? [])] : tree.files.map(({ path }) => toText(path));
  return paths.toSorted();
}
