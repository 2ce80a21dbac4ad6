import { createHash } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { readGitTree, toText, type GitTree } from "./git-tree.ts";
import { walkedDigest } from "./walked-digest.ts";

const TIME_LIMIT_MS = 60_000;
const DEEPEST_NESTING = 8;

export interface TreeDigestOptions {
  /** Top folder of the worktree. */
  readonly root: string;
  /** Where this machine keeps what it knows; the digest's cache is below it, never in the project. */
  readonly stateHome: string;
}

/** The project's files at one moment, to be handed on by whoever looked to whoever needs the same look. */
export interface TreeReading {
  readonly digest: string;
  /** Milliseconds; from before the first file was looked at. */
  readonly at: number;
  /** Null where the project has no git repository. */
  readonly tree: GitTree | null;
}

/**
 * The project's files with a digest over path, mode and content, whatever is committed or staged. Null when they cannot be read:
 * two nulls say nothing about each other.
 */
export async function readTree({ root, stateHome }: TreeDigestOptions): Promise<TreeReading | null> {
  const at = Date.now();
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  try {
    mkdirSync(stateHome, { recursive: true, mode: 0o700 });
    return { at, ...(await readFolder({ root, stateHome, signal, depth: 0 })) };
  } catch {
    return null;
  }
}

async function readFolder(options: {
  readonly root: string;
  readonly stateHome: string;
  readonly signal: AbortSignal;
  readonly depth: number;
}): Promise<Omit<TreeReading, "at">> {
  const { root, signal, depth } = options;
  if (depth > DEEPEST_NESTING) throw new Error(`repositories are nested too deeply at ${root}`);
  if (lstatSync(join(root, ".git"), { throwIfNoEntry: false }) === undefined) {
    return { digest: await walkedDigest(options), tree: null };
  }
  const tree = await readGitTree(options);
  const hash = createHash("sha256");
  hash.update(tree.files.map((file) => file.line).join("\0"), "latin1");
  for (const path of tree.nested) {
    const inner = await readFolder({ ...options, root: join(root, toText(path)), depth: depth + 1 });
    hash.update(`nested ${inner.digest} ${path}\0`, "latin1");
  }
  signal.throwIfAborted();
  return { digest: hash.digest("hex"), tree };
}
