import { createHash } from "node:crypto";
import { lstat, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readGitTree, toText } from "./git-tree.ts";
import { walkedDigest } from "./walked-digest.ts";

const TIME_LIMIT_MS = 60_000;
const DEEPEST_NESTING = 8;

export interface TreeDigestOptions {
  /** Top folder of the worktree. */
  readonly root: string;
  /** Where this machine keeps what it knows; the digest's cache is below it, never in the project. */
  readonly stateHome: string;
}

/**
 * A digest over path, mode and content of the project's files, whatever is committed or staged. Null when it could not
 * be computed: two nulls say nothing about each other.
 */
export async function treeDigest({ root, stateHome }: TreeDigestOptions): Promise<string | null> {
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  try {
    await mkdir(stateHome, { recursive: true, mode: 0o700 });
    return await digestFolder({ root, stateHome, signal, depth: 0 });
  } catch {
    return null;
  }
}

async function digestFolder(options: {
  readonly root: string;
  readonly stateHome: string;
  readonly signal: AbortSignal;
  readonly depth: number;
}): Promise<string> {
  const { root, signal, depth } = options;
  if (depth > DEEPEST_NESTING) throw new Error(`repositories are nested too deeply at ${root}`);
  if ((await lstat(join(root, ".git")).catch(() => null)) === null) return walkedDigest(options);

  const tree = await readGitTree(options);
  const hash = createHash("sha256");
  hash.update(tree.files.map((file) => file.line).join("\0"), "latin1");
  for (const path of tree.nested) {
    const digest = await digestFolder({ ...options, root: join(root, toText(path)), depth: depth + 1 });
    hash.update(`nested ${digest} ${path}\0`, "latin1");
  }
  signal.throwIfAborted();
  return hash.digest("hex");
}
