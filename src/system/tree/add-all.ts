import type { BorrowedIndex } from "./cached-index.ts";
import { isFolder } from "../files/folders.ts";
import type { GitOutcome } from "../git/run-git.ts";
import { renderPaths, expectSuccess, parsePaths, toText, diskPath } from "./index-entries.ts";
import { GitMissing, type PrivateGit } from "./private-git.ts";
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, rmSync, statSync, type BigIntStats } from "node:fs";
import { join } from "node:path";
import { hashFile, largeMark, modeOf, openSeenFiles } from "./file-version.ts";
import type { IndexEntry } from "./index-entries.ts";

/** The result of adding all files to our index. */
export interface Added {
  /** Nested repositories without a commit, which git cannot add. */
  readonly unborn: readonly string[];
  /** Files and folders that git could not read. */
  readonly unread: readonly string[];
  /** Files hidden from git. */
  readonly large: readonly string[];
}

/** New large files are rare, so nothing searches for them beforehand; when git finds one, it is ended and starts again without it. */
export async function addAll(git: PrivateGit, index: BorrowedIndex): Promise<Added> {
  const known = stillLarge(git.root, index.facts?.large ?? []);
  const watch = watchForLarge(index.scratch);
  const outcome = await add(git, index, known, watch.signal).finally(() => watch.stop());
  if (!watch.signal.aborted) return { ...complaintsOf(git, outcome), large: known };
  clearAfterGit(index);
  const large = [...new Set([...known, ...(await findLarge(git, index))])].toSorted();
  return { ...complaintsOf(git, await add(git, index, large)), large };
}

async function add(
  git: PrivateGit,
  index: BorrowedIndex,
  without: readonly string[],
  signal?: AbortSignal,
): Promise<GitOutcome> {
  const args = ["add", "--all", "--ignore-errors"];
  const options = { index: index.path, scratch: index.scratch, ...(signal === undefined ? {} : { signal }) };
  if (without.length === 0) return git.run([...args, "--", "."], options);
  const patterns = [".", ...without.map((path) => `:(top,exclude,literal)${path}`)];
  return git.run([...args, "--pathspec-from-file=-", "--pathspec-file-nul"], {
    ...options,
    input: renderPaths(patterns),
    hasPatterns: true,
  });
}

const UNBORN = /^error: '(.+)\/' does not have a commit checked out$/;
const UNREAD = [
  /^warning: could not open directory '(.+)': /,
  /^error: open\("(.+)"\): /,
  /^error: unable to index file '(.+)'$/,
  /^(?:error: )?(?:unable to stat ')?(.+?)'?: (?:Permission denied|Input\/output error)$/,
];

/** Parses git's complaints; any other complaint makes the reading impossible. */
function complaintsOf(git: PrivateGit, outcome: GitOutcome): Pick<Added, "unborn" | "unread"> {
  if (!outcome.ok && outcome.isMissing) throw new GitMissing();
  const unborn: string[] = [];
  const unread = new Set<string>();
  const strange: string[] = [];
  for (const line of outcome.message.split("\n").filter((each) => !/^($|hint: )/.test(each))) {
    const nested = UNBORN.exec(line)?.[1];
    const path = UNREAD.map((form) => form.exec(line)?.[1]).find((found) => found !== undefined);
    if (nested !== undefined && isFolder(`${git.root}/${toText(nested)}/.git`)) unborn.push(nested);
    else if (path !== undefined) unread.add(path);
    else if (!line.startsWith("warning: ")) strange.push(line);
  }
  const isExplained = unborn.length > 0 || unread.size > 0;
  if (!outcome.ok && (strange.length > 0 || !isExplained))
    throw new Error(`git add failed: ${toText(strange.join("\n") || outcome.message)}`);
  const folders = [...unread].filter((path) => path.endsWith("/"));
  const isInside = (path: string): boolean =>
    folders.some((folder) => path !== folder && path.startsWith(folder));
  return { unborn, unread: [...unread].filter((path) => !isInside(path)) };
}

/** Git would write a copy of larger files; we only read them. */
const LARGE_BYTES = 10n * 1024n * 1024n;

const LOOK_EVERY_MS = 20;

/** The paths that still lead to a large file. */
function stillLarge(root: string, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => lookAtLarge(root, path) !== null);
}

/** Large files among those that are new or changed. */
async function findLarge(git: PrivateGit, index: BorrowedIndex): Promise<readonly string[]> {
  const args = ["ls-files", "--others", "--modified", "--exclude-standard", "-z"];
  return stillLarge(git.root, [
    ...new Set(parsePaths(expectSuccess(await git.run(args, { index: index.path })))),
  ]);
}

/** Those that no rule ignores, for when the rules have changed. */
export async function withoutIgnored(
  git: PrivateGit,
  index: BorrowedIndex,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return paths;
  const args = ["check-ignore", "--no-index", "-z", "--stdin"];
  // Git doesn't accept plain paths here, so a name that looks like a pattern needs a prefix.
  const input = renderPaths(paths.map((path) => `./${path}`));
  const { stdout } = await git.run(args, { index: index.path, input, hasPatterns: true });
  const ignored = new Set(parsePaths(stdout));
  return paths.filter((path) => !ignored.has(`./${path}`));
}

/** As git would list them. The largest are not read; their lines contain size and time. */
export function entriesOfLarge(git: PrivateGit, paths: readonly string[]): readonly IndexEntry[] {
  const seen = openSeenFiles(join(git.folder, "large"));
  const entries = paths.flatMap((path): IndexEntry[] => {
    const found = lookAtLarge(git.root, path);
    if (found === null) return [];
    const blob = (): string =>
      hashFile(createHash(git.hash).update(`blob ${found.size}\0`), diskPath(git.root, path), found);
    const object = largeMark(found) ?? seen.recall(path, found, blob);
    return [{ path, line: `${modeOf(found)} ${object} 0\t${path}` }];
  });
  if (paths.length > 0) seen.keep();
  return entries;
}

/** Aborts once git has written more to a scratch folder than small files would need. */
function watchForLarge(scratch: string): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const timer = setInterval(() => {
    if (packedBytes(scratch) > LARGE_BYTES) controller.abort();
  }, LOOK_EVERY_MS);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

/** Removes what an ended git left behind. */
function clearAfterGit({ path, scratch }: BorrowedIndex): void {
  rmSync(`${path}.lock`, { force: true });
  rmSync(join(scratch, "pack"), { recursive: true, force: true });
}

/** Where git puts files larger than a megabyte. */
function packedBytes(scratch: string): bigint {
  const folder = join(scratch, "pack");
  try {
    const sizes = readdirSync(folder).map((name) => statSync(join(folder, name), { bigint: true }).size);
    return sizes.reduce((sum, size) => sum + size, 0n);
  } catch {
    return 0n;
  }
}

function lookAtLarge(root: string, path: string): BigIntStats | null {
  if (path.endsWith("/")) return null;
  try {
    const found = lstatSync(diskPath(root, path), { bigint: true });
    return found.isFile() && found.size > LARGE_BYTES ? found : null;
  } catch {
    return null;
  }
}
