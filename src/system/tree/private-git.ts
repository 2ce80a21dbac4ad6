import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { forgetTree } from "./known-trees.ts";
import { isFolder } from "../files/folders.ts";
import { repositoryFormat, type GitFolders, type ObjectHash } from "../git/git-files.ts";
import { readOrEmpty } from "../files/read-file.ts";
import { ownStores, type OwnStores } from "./ignored-files.ts";
import { gitEnvironment, spawnGit, type GitOutcome } from "../git/run-git.ts";
import { userExcludesFile } from "../git/settings.ts";

/** Our own git folder for somebody else's worktree: the repository's configuration is never read. */
export interface PrivateGit {
  readonly root: string;
  readonly folder: string;
  readonly hash: ObjectHash;
  /** The project's repository; null if it has no such folder. */
  readonly objects: string | null;
  readonly stores: OwnStores;
  /** Everything that decides what is ignored, besides the `.gitignore` files in the tree. */
  readonly outerRules: string;
  readonly excludesFile: string;
  run(args: readonly string[], options: PrivateRun): Promise<GitOutcome>;
}

/** Git cannot be started on this machine. */
export class GitMissing extends Error {
  override readonly message = "git cannot be started";
}

interface PrivateRun {
  readonly index: string;
  /** Where the command writes objects. */
  readonly scratch?: string;
  readonly input?: Buffer;
  /** Ends only this command. */
  readonly signal?: AbortSignal;
  /** The names are patterns, not plain paths. */
  readonly hasPatterns?: boolean;
}

/**
 * Takes precedence over all `.gitattributes`: contents are taken as they lie on the disk. How files are merged is left to them;
 * without configuration they can name no program.
 */
const ATTRIBUTES = "* -text -filter -ident -eol -working-tree-encoding !diff\n";

const CONFIG = `[core]
	bare = false
	fileMode = ${process.platform !== "win32"}
	ignoreCase = ${process.platform === "win32" || process.platform === "darwin"}
	precomposeUnicode = ${process.platform === "darwin"}
	protectNTFS = false
	protectHFS = false
	autocrlf = false
	safecrlf = false
	fsmonitor = false
	hooksPath = /dev/null
	preloadIndex = true
	compression = 0
	# Larger files are streamed instead of read into memory.
	bigFileThreshold = 1m
	fsync = none
[index]
	version = 2
	skipHash = true
[advice]
	addEmbeddedRepo = false
[gc]
	auto = 0
`;

/** The ids of the project's objects only work in a folder with the same hash format. */
const FORMATS = {
  sha1: { suffix: "", config: "[core]\n\trepositoryFormatVersion = 0\n" },
  sha256: {
    suffix: "-sha256",
    config: "[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = sha256\n",
  },
} as const;

export async function openPrivateGit(options: {
  readonly root: string;
  readonly stateHome: string;
  readonly folders: GitFolders;
  readonly signal: AbortSignal;
}): Promise<PrivateGit> {
  const { folders, signal } = options;
  const root = realpathSync.native(options.root);
  const { hash } = repositoryFormat(readOrEmpty(join(folders.commonFolder, "config")));
  const format = FORMATS[hash];
  const folder = folderFor(options.stateHome, root, hash);
  const stores = ownStores(root, realpathSync.native(options.stateHome));
  const projectExclude = readOrEmpty(join(folders.commonFolder, "info", "exclude"));
  const exclude = `${projectExclude}\n${stores.excludeLines.join("\n")}\n`;
  prepare(folder, `${format.config}${CONFIG}`);
  keepFile(join(folder, "info", "exclude"), exclude);
  const excludesFile = await userExcludesFile(folder, signal);
  const environment = gitEnvironment({
    GIT_DIR: folder,
    GIT_WORK_TREE: root,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_OPTIONAL_LOCKS: "0",
  });
  const ownObjects = join(folders.commonFolder, "objects");
  const objects = isFolder(ownObjects) ? ownObjects : null;
  return {
    root,
    folder,
    hash,
    objects,
    stores,
    excludesFile,
    outerRules: sha256(JSON.stringify([exclude, excludesFile, readOrEmpty(excludesFile)])),
    run: (args, { index, scratch, input, signal: own, hasPatterns }) =>
      spawnGit({
        args: ["-c", `core.excludesFile=${excludesFile}`, ...args],
        cwd: root,
        env: {
          ...environment,
          GIT_INDEX_FILE: index,
          ...(hasPatterns === true ? {} : { GIT_LITERAL_PATHSPECS: "1" }),
          ...(scratch === undefined ? {} : { GIT_OBJECT_DIRECTORY: scratch }),
          // What the repository already has need not be written again.
          ...(objects === null ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(objects) }),
        },
        signal: own === undefined ? signal : AbortSignal.any([signal, own]),
        ...(input === undefined ? {} : { input }),
      }),
  };
}

/** Lets go of what is kept for a worktree that is about to be removed. */
export function dropPrivateGit(stateHome: string, worktree: string): void {
  const root = realpathSync.native(worktree);
  for (const hash of ["sha1", "sha256"] as const) {
    const folder = folderFor(stateHome, root, hash);
    forgetTree(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

function folderFor(stateHome: string, root: string, hash: ObjectHash): string {
  return join(stateHome, "trees", `${sha256(root).slice(0, 32)}${FORMATS[hash].suffix}`);
}

/** Folders that this process has seen to. */
const prepared = new Set<string>();

function prepare(folder: string, config: string): void {
  const configFile = join(folder, "config");
  if (prepared.has(folder) && readOrEmpty(configFile) === config) return;
  mkdirSync(join(folder, "info"), { recursive: true, mode: 0o700 });
  mkdirSync(join(folder, "refs"), { recursive: true });
  mkdirSync(join(folder, "objects"), { recursive: true });
  keepFile(join(folder, "HEAD"), "ref: refs/heads/none\n");
  keepFile(join(folder, "info", "attributes"), ATTRIBUTES);
  keepFile(configFile, config);
  prepared.add(folder);
}

function keepFile(path: string, content: string): void {
  if (readOrEmpty(path) === content) return;
  const temporary = `${path}.${randomUUID()}`;
  writeFileSync(temporary, content, { mode: 0o600 });
  renameSync(temporary, path);
}

function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
