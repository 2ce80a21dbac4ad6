import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { fileDigest } from "./file-digest.ts";
import { ownStores } from "./own-stores.ts";
import { walkFiles } from "./walk-files.ts";

/** Kept short: where there is no git, nobody says what is generated, and a name too many hides sources. */
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

const FILES_AT_ONCE = 16;

/** The files of a project without git that count, sorted: all but a default list. */
export async function walkedPaths(options: {
  readonly root: string;
  readonly stateHome: string;
}): Promise<readonly string[]> {
  const root = await realpath(options.root);
  const stores = ownStores(root, await realpath(options.stateHome));
  const skip = (path: string, name: string): boolean => IGNORED_NAMES.has(name) || stores.includes(path);
  const paths: string[] = [];
  for await (const path of walkFiles({ root, from: "", skip })) paths.push(path);
  return paths.sort();
}

/** The digest of a project without git, over all its files but a default list. Throws when one cannot be read. */
export async function walkedDigest(options: {
  readonly root: string;
  readonly stateHome: string;
  readonly signal: AbortSignal;
}): Promise<string> {
  const root = await realpath(options.root);
  const paths = await walkedPaths(options);
  const hash = createHash("sha256");
  for (let start = 0; start < paths.length; start += FILES_AT_ONCE) {
    options.signal.throwIfAborted();
    const batch = paths.slice(start, start + FILES_AT_ONCE);
    const digests = await Promise.all(batch.map((path) => fileDigest(root, path)));
    for (const [position, path] of batch.entries()) hash.update(`${digests[position]} ${path}\0`);
  }
  return hash.digest("hex");
}
