import { createHash } from "node:crypto";
import { lstat, realpath, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileDigest } from "./file-version.ts";
import { parsePathGlob, type PathGlob } from "./path-glob.ts";

type PathDigests = Readonly<Record<string, string>>;

/** Digests of all matching files, including ignored ones. Throws for a glob that leads out of the root. */
export async function pathDigests(options: {
  readonly root: string;
  readonly globs: readonly string[];
}): Promise<PathDigests> {
  const root = await realpath(options.root);
  const globs = await Promise.all(options.globs.map(parsePathGlob));
  const paths = new Set<string>();
  for (const glob of globs) for await (const path of matchingFiles(root, glob)) paths.add(path);
  const entries: [string, string][] = [];
  for (const path of [...paths].sort()) entries.push([path, await fileDigest(root, path)]);
  return Object.fromEntries(entries);
}

interface ChangedPath {
  readonly path: string;
  readonly change: "added" | "changed" | "removed";
}

export function changedPaths(before: PathDigests, after: PathDigests): readonly ChangedPath[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].sort().flatMap((path): ChangedPath[] => {
    if (!Object.hasOwn(before, path)) return [{ path, change: "added" }];
    if (!Object.hasOwn(after, path)) return [{ path, change: "removed" }];
    return before[path] === after[path] ? [] : [{ path, change: "changed" }];
  });
}

export function combinedDigest(digests: PathDigests): string {
  const hash = createHash("sha256");
  for (const path of Object.keys(digests).sort()) hash.update(`${digests[path]} ${path}\0`);
  return hash.digest("hex");
}

async function* matchingFiles(root: string, glob: PathGlob): AsyncGenerator<string> {
  // A link on the path counts itself: pointing it elsewhere changes what the glob means.
  let path = "";
  for (const name of glob.base) {
    path = path === "" ? name : `${path}/${name}`;
    if (isSkipped(path, name)) return;
    const found = await lstat(join(root, path)).catch(ignoreMissing);
    if (found === null) return;
    if (found.isSymbolicLink()) {
      yield path;
      if (!(await leadsToFolderInside(root, path))) return;
    } else if (found.isFile()) {
      if (glob.matches(path)) yield path;
      return;
    } else if (!found.isDirectory()) return;
  }
  for await (const file of walkFiles({ root, from: path, skip: isSkippedBelow })) {
    if (glob.matches(file)) yield file;
  }
}

/** What tools leave behind. It counts only if a glob names it. */
const BY_PRODUCTS = new Set([
  "__pycache__",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
  ".hypothesis",
  "node_modules",
  ".nyc_output",
  ".DS_Store",
]);

function isSkippedBelow(path: string, name: string): boolean {
  return isSkipped(path, name) || BY_PRODUCTS.has(name) || name.endsWith(".pyc");
}

function isSkipped(path: string, name: string): boolean {
  return name === ".git" || path === ".loop";
}

async function leadsToFolderInside(root: string, path: string): Promise<boolean> {
  const target = await realpath(join(root, path)).catch(ignoreMissing);
  if (target === null || !target.startsWith(join(root, "/"))) return false;
  return (await lstat(target)).isDirectory();
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (
    error.code === "ENOENT" ||
    error.code === "ENOTDIR" ||
    error.code === "ELOOP" ||
    error.code === "ENAMETOOLONG"
  )
    return null;
  throw error;
}

interface Walk {
  readonly root: string;
  /** Relative to the root, with slashes; the empty string is the root itself. */
  readonly from: string;
  skip(path: string, name: string): boolean;
}

/** All files and symbolic links in a folder, relative to the root, with slashes. Doesn't follow links. */
export async function* walkFiles(walk: Walk): AsyncGenerator<string> {
  const waiting = [walk.from];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await readdir(join(walk.root, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (walk.skip(path, entry.name)) continue;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() || entry.isSymbolicLink()) yield path;
    }
  }
}
