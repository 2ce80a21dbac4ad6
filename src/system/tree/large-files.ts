import { createHash } from "node:crypto";
import { lstatSync, readdirSync, rmSync, statSync, type BigIntStats } from "node:fs";
import { join } from "node:path";
import type { BorrowedIndex } from "./cached-index.ts";
import { hashFile, largeMark, modeOf } from "./file-version.ts";
import { expectSuccess, parsePaths, renderPaths, type IndexEntry } from "./index-listing.ts";
import type { PrivateGit } from "./private-git.ts";
import { openSeenFiles } from "./seen-files.ts";

/** Git would write a copy of larger files; we only read them. */
const LARGE_BYTES = 10n * 1024n * 1024n;

const LOOK_EVERY_MS = 20;

/** The paths that still lead to a large file. */
export function stillLarge(root: string, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => lookAtLarge(root, path) !== null);
}

/** Large files among those that are new or changed. */
export async function findLarge(git: PrivateGit, index: BorrowedIndex): Promise<readonly string[]> {
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
export function watchForLarge(scratch: string): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const timer = setInterval(() => {
    if (packedBytes(scratch) > LARGE_BYTES) controller.abort();
  }, LOOK_EVERY_MS);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

/** Removes what an ended git left behind. */
export function clearAfterGit({ path, scratch }: BorrowedIndex): void {
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

function diskPath(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}
