import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findGitFolders, type GitFolders } from "../../system/git/git-folders.ts";
import { readOrEmpty } from "../../system/git/read-or-empty.ts";
import type { GitOutcome } from "../../system/git/spawn-git.ts";
import { expectSuccess } from "../../system/tree/index-listing.ts";
import { openPrivateGit, type PrivateGit } from "../../system/tree/private-git.ts";

/** The repository's own objects through our git folder, without its configuration, index and hooks. */
export interface CheckpointStore {
  readonly git: PrivateGit;
  readonly folders: GitFolders;
  /** The folder of the repository's objects. */
  readonly objects: string;
  /** Several people write to it, so its files have to stay accessible to all of them. */
  readonly isShared: boolean;
  /** A private folder for one task: index files, and temporary objects. */
  scratch(): string;
  /** Reads objects, and writes those that last. Throws when git fails. */
  run(args: readonly string[], options?: StoreRun): Promise<Buffer>;
  /** The same, for commands whose failure says something. */
  ask(args: readonly string[], options?: StoreRun): Promise<GitOutcome>;
}

interface StoreRun {
  readonly index?: string;
  readonly input?: Buffer;
}

export interface StoreOptions {
  readonly root: string;
  readonly stateHome: string;
  readonly signal: AbortSignal;
  /** Of the repository, where the root's own `.git` may not be there to tell. */
  readonly folders?: GitFolders;
}

/** Objects are synced: a ref to an object lost in a power loss would make the user's own `git gc` fail. */
const LASTING = ["core.fsync=objects", "core.fsyncMethod=batch", "core.looseCompression=1"];

/** Above this, git writes a pack for each file instead of an object. */
const NO_PACKS = "core.bigFileThreshold=1g";

export async function withStore<T>(
  options: StoreOptions,
  task: (store: CheckpointStore) => Promise<T>,
): Promise<T> {
  const folders = options.folders ?? findGitFolders(options.root);
  if (folders === null) throw new Error(`${options.root} has no usable .git`);
  mkdirSync(options.stateHome, { recursive: true, mode: 0o700 });
  const git = await openPrivateGit({ ...options, folders });
  const { objects } = git;
  if (objects === null) throw new Error(`${options.root} has no objects`);
  const config = readOrEmpty(join(folders.commonFolder, "config"));
  const settings = [...LASTING, NO_PACKS, ...sharing(config)];
  // Named so that the leftovers of a killed process are deleted with those of the cached index.
  const scratch = join(git.folder, `scratch.${process.pid}.${randomUUID()}`);
  let hasScratch = false;
  const ask: CheckpointStore["ask"] = async (args, { index = join(scratch, "no-index"), input } = {}) => {
    const all = [...settings.flatMap((setting) => ["-c", setting]), ...args];
    return git.run(all, { index, scratch: objects, ...(input === undefined ? {} : { input }) });
  };
  try {
    return await task({
      git,
      folders,
      objects,
      isShared: /sharedrepository/i.test(config),
      scratch: () => {
        if (!hasScratch) mkdirSync(scratch);
        hasScratch = true;
        return scratch;
      },
      ask,
      run: async (args, how) => expectSuccess(await ask(args, how)),
    });
  } finally {
    if (hasScratch) rmSync(scratch, { recursive: true, force: true });
  }
}

/** In a shared repository, object folders have to stay accessible to everyone. */
function sharing(config: string): readonly string[] {
  const value = /^[^#;\n]*\bsharedrepository\s*=\s*"?(\w{1,20})/im.exec(config)?.[1];
  return value === undefined ? [] : [`core.sharedRepository=${value}`];
}
