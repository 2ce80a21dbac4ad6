import { createHash } from "node:crypto";
import { lstatSync, readdirSync, realpathSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { setImmediate as turnOfOthers } from "node:timers/promises";
import { hashFile, largeMark, modeOf, openSeenFiles, type SeenFiles } from "./file-version.ts";
import { ownStores } from "./ignored-files.ts";
import type { TreeWatch } from "./tree-digest.ts";

/** Kept short: without git nothing says what is generated, and one name too many would hide sources. */
const IGNORED_NAMES = new Set([
  ".git",
  ".hg",
  ".svn",
  ".jj",
  ".DS_Store",
  "node_modules",
  ".venv",
  "venv",
  "__pycache__",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
  ".tox",
  ".cache",
  ".gradle",
  ".next",
  ".turbo",
  "target",
]);

const FILES_AT_ONCE = 256;

/** The files of a project, found without git. */
export interface WalkedFiles {
  readonly digest: string;
  /** Mode and content of each file, as text that is equal for equal files; sorted by path. */
  readonly versions: ReadonlyMap<string, string>;
  /** Files and folders that could not be read and are left out. */
  readonly unread: readonly string[];
}

interface Walk {
  readonly root: string;
  readonly stateHome: string;
}

/** All files except a default ignore list, each read only if its stamp changed. */
export async function readWalkedFiles(
  options: Walk & { readonly signal: AbortSignal; readonly watch: TreeWatch },
): Promise<WalkedFiles> {
  const root = realpathSync(options.root);
  const found = await walkedPaths(options);
  const name = createHash("sha256").update(root).digest("hex").slice(0, 32);
  const seen = openSeenFiles(join(options.stateHome, "trees", `${name}.seen`));
  const versions = new Map<string, string>();
  const unread = [...found.unread];
  try {
    for (const [position, path] of found.paths.entries()) {
      if (position % FILES_AT_ONCE === 0) {
        await turnOfOthers();
        options.signal.throwIfAborted();
        options.watch.reads(position, found.paths.length);
      }
      const version = versionOf(root, path, seen);
      if (version === "unread") unread.push(path);
      else if (version !== "gone") versions.set(path, version);
    }
  } finally {
    // Even when time is up, so the next reading continues from here.
    seen.keep();
  }
  const hash = createHash("sha256");
  for (const [path, version] of versions) hash.update(`${version} ${path}\0`);
  for (const path of unread.toSorted()) hash.update(`unread ${path}\0`);
  return { digest: hash.digest("hex"), versions, unread };
}

function versionOf(root: string, path: string, seen: SeenFiles): string {
  const full = join(root, path);
  try {
    const found = lstatSync(full, { bigint: true });
    const mode = modeOf(found);
    const content =
      largeMark(found) ?? seen.recall(path, found, () => hashFile(createHash("sha256"), full, found));
    return `${mode} ${content}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "gone" : "unread";
  }
}

/** The files that count, sorted, and the folders that could not be read. Doesn't follow links. */
export async function walkedPaths(
  options: Walk,
): Promise<{ readonly paths: readonly string[]; readonly unread: readonly string[] }> {
  const root = realpathSync(options.root);
  const stores = ownStores(root, realpathSync(options.stateHome));
  const paths: string[] = [];
  const unread: string[] = [];
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (paths.length % FILES_AT_ONCE === 0) await turnOfOthers();
    const entries = entriesOf(join(root, folder));
    if (entries === null) unread.push(`${folder}/`);
    for (const entry of entries ?? []) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (IGNORED_NAMES.has(entry.name) || stores.includes(path)) continue;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() || entry.isSymbolicLink()) paths.push(path);
    }
  }
  return { paths: paths.sort(), unread };
}

function entriesOf(folder: string): readonly Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return null;
  }
}
