import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findGitFolders, isObjectId, type GitFolders } from "../../system/git/git-files.ts";
import { readLooseObject } from "../../system/git/loose-objects.ts";
import { looseFiles, looseLinks } from "../../system/git/loose-trees.ts";
import { readOrEmpty } from "../../system/files/read-file.ts";
import type { GitOutcome } from "../../system/git/run-git.ts";
import { expectSuccess, parsePaths, toText } from "../../system/tree/index-entries.ts";
import { openPrivateGit, type PrivateGit } from "../../system/tree/private-git.ts";
import type { Version } from "./content.ts";
import type { KeptFile } from "./files.ts";
import { BATCH_BYTES } from "./checkpoint-sizes.ts";

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
  /** The same for what a tree or a commit holds that is named by its whole id: that never changes, so git is asked once. Says nothing about whether it is still there. */
  read(args: readonly string[]): Promise<Buffer>;
  /** Runs git, for commands whose failure says something. */
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
  const run: CheckpointStore["run"] = async (args, how) => expectSuccess(await ask(args, how));
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
      run,
      read: async (args) => readOnce(`${objects}\0${args.join("\0")}`, async () => run(args)),
    });
  } finally {
    if (hasScratch) rmSync(scratch, { recursive: true, force: true });
  }
}

/** The files of a commit or a tree, as git lists them: mode, type, object and path, which is bytes in latin1. */
export async function listTree(store: CheckpointStore, id: string): Promise<readonly string[]> {
  const tree = looseLinks(store.objects, id)?.tree ?? id;
  const files = looseFiles([store.objects], tree);
  if (files === null) {
    const args = ["ls-tree", "-r", "-z", "--full-tree", tree];
    return parsePaths(await (isObjectId(tree) ? store.read(args) : store.run(args)));
  }
  return [...files].map(([path, row]) => {
    const [mode = "", object = ""] = row.split(" ");
    return `${mode} ${mode === SUBMODULE ? "commit" : "blob"} ${object}\t${path}`;
  });
}

const SUBMODULE = "160000";

/** By repository and question, the last asked last. */
const answers = new Map<string, Buffer>();
const KEPT_ANSWERS = 32;
const LARGEST_KEPT_BYTES = 256 * 1024;

async function readOnce(question: string, ask: () => Promise<Buffer>): Promise<Buffer> {
  const answer = answers.get(question) ?? (await ask());
  answers.delete(question);
  if (answer.length <= LARGEST_KEPT_BYTES) answers.set(question, answer);
  const [oldest] = answers.keys();
  if (answers.size > KEPT_ANSWERS && oldest !== undefined) answers.delete(oldest);
  return answer;
}

/** In a shared repository, object folders have to stay accessible to everyone. */
function sharing(config: string): readonly string[] {
  const value = /^[^#;\n]*\bsharedrepository\s*=\s*"?(\w{1,20})/im.exec(config)?.[1];
  return value === undefined ? [] : [`core.sharedRepository=${value}`];
}

/** In the order of the objects; null for an object the repository doesn't have. */
export async function sizesOf(
  store: CheckpointStore,
  objects: readonly string[],
): Promise<readonly (number | null)[]> {
  if (objects.length === 0) return [];
  const read = sizesFromFiles(store, objects);
  if (read !== null) return read;
  const input = Buffer.from(`${objects.join("\n")}\n`, "latin1");
  const stdout = await store.run(["cat-file", "--buffer", "--batch-check=%(objectsize)"], { input });
  const lines = stdout.toString("latin1").split("\n").slice(0, -1);
  // For a missing object, git prints its name and that it is missing.
  return lines.map((line) => (line.endsWith("missing") ? null : Number(line)));
}

/** Writing these again takes no longer than asking for them. */
const FEW_TREES = 3;

/** Those that the repository doesn't have, and perhaps a few that it has. Most folders are as they were committed. */
export async function unwrittenTrees<Tree extends { readonly id: string }>(
  store: CheckpointStore,
  trees: readonly Tree[],
): Promise<readonly Tree[]> {
  const others: Tree[] = [];
  for (const tree of trees) {
    if (others.length > FEW_TREES) others.push(tree);
    else if (readLooseObject(store.objects, tree.id) === null) others.push(tree);
  }
  if (others.length <= FEW_TREES) return others;
  const sizes = await sizesOf(
    store,
    others.map(({ id }) => id),
  );
  return others.filter((_, position) => typeof sizes[position] !== "number");
}

/** More of them are quicker with git. */
const MOST_READ_HERE = 24;

/** Null if one of them isn't in a file of its own. */
function sizesFromFiles(store: CheckpointStore, objects: readonly string[]): readonly number[] | null {
  if (objects.length > MOST_READ_HERE) return null;
  const sizes: number[] = [];
  for (const id of objects) {
    const found = readLooseObject(store.objects, id);
    if (found === null) return null;
    sizes.push(found.content.length);
  }
  return sizes;
}

/** The files with their contents, not all in memory at once. */
export async function* keptFiles(
  store: CheckpointStore,
  versions: ReadonlyMap<string, Version>,
): AsyncGenerator<KeptFile> {
  const sizes = await sizesOf(store, [...versions.values()].map(objectOf));
  let batch: [string, Version][] = [];
  let bytes = 0;
  for (const [position, [path, version]] of [...versions].entries()) {
    const size = sizes[position] ?? 0;
    if (batch.length > 0 && bytes + size > BATCH_BYTES) {
      yield* await readBatch(store, batch);
      batch = [];
      bytes = 0;
    }
    batch.push([path, version]);
    bytes += size;
  }
  if (batch.length > 0) yield* await readBatch(store, batch);
}

async function readBatch(
  store: CheckpointStore,
  batch: readonly (readonly [string, Version])[],
): Promise<readonly KeptFile[]> {
  const input = Buffer.from(batch.map(([, version]) => `${objectOf(version)}\n`).join(""), "latin1");
  const stdout = await store.run(["cat-file", "--batch"], { input });
  let start = 0;
  return batch.map(([path, version]) => {
    const end = stdout.indexOf("\n", start);
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(stdout.toString("latin1", start, end))?.[1];
    if (size === undefined) throw new Error(`${toText(path)} cannot be read from the checkpoint.`);
    const content = stdout.subarray(end + 1, end + 1 + Number(size));
    start = end + 1 + Number(size) + 1;
    return { path, mode: version.slice(0, 6), content };
  });
}

export function objectOf(version: Version): string {
  return version.slice(7);
}
