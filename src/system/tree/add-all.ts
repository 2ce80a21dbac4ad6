import type { BorrowedIndex } from "./cached-index.ts";
import { isFolder } from "../git/git-folders.ts";
import type { GitOutcome } from "../git/spawn-git.ts";
import { renderPaths } from "./index-listing.ts";
import { clearAfterGit, findLarge, stillLarge, watchForLarge } from "./large-files.ts";
import { GitMissing, type PrivateGit } from "./private-git.ts";

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

export function toText(path: string): string {
  // True for nearly all files of a large project.
  if (/^[\0-\x7f]*$/.test(path)) return path;
  return Buffer.from(path, "latin1").toString("utf8");
}
