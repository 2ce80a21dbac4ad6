import { createHash } from "node:crypto";
import { lstatSync, readdirSync, realpathSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { setImmediate as turnOfOthers } from "node:timers/promises";
import { hashFile, isMangled, largeMark, modeOf, openSeenFiles, type SeenFiles } from "./file-version.ts";
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
interface WalkedFiles {
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
  if (isMangled(path)) return "unread";
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

/** A file whose content or rights changed after a moment. */
export interface NewerFile {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  readonly changedAt: number;
  /** It was there before that moment, as far as the file system tells. */
  readonly isOlder: boolean;
  readonly bytes: number;
}

interface NewerOptions {
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Files and folders that are left out, by path. */
  readonly skips: (path: string, entry: Dirent) => boolean;
  /** How many entries are looked at. */
  readonly most: number;
  /** Called with each file that is not newer. */
  readonly older?: (path: string) => void;
}

const AT_ONCE = 512;

/**
 * The files below a folder that are newer than a moment, and where the search ended if there were too many. The time of a change is
 * the one that nobody can set back. Doesn't follow links.
 */
export async function newerFiles({
  folder,
  since,
  skips,
  most,
  older,
}: NewerOptions): Promise<{ readonly files: readonly NewerFile[]; readonly isComplete: boolean }> {
  const files: NewerFile[] = [];
  const waiting = [""];
  let seen = 0;
  // Shallow folders first: where there are too many, those count most.
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const entry of entriesIn(join(folder, next))) {
      const path = next === "" ? entry.name : `${next}/${entry.name}`;
      if (skips(path, entry)) continue;
      if ((seen += 1) > most) return { files, isComplete: false };
      if (seen % AT_ONCE === 0) await turnOfOthers();
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() || entry.isSymbolicLink()) {
        const found = lstatSync(join(folder, path), { throwIfNoEntry: false });
        if (found === undefined) continue;
        const { ctimeMs, birthtimeMs, size } = found;
        if (ctimeMs <= since) older?.(path);
        else
          files.push({
            path,
            changedAt: ctimeMs,
            isOlder: birthtimeMs > 0 && birthtimeMs < since,
            bytes: size,
          });
      }
    }
  }
  return { files, isComplete: true };
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
