import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { errnoOf } from "../files/path-errors.ts";
import { isFolder } from "../files/folders.ts";
import { readOrEmpty } from "../files/read-file.ts";

export interface GitFolders {
  /** This worktree's folder, with its index. */
  readonly gitFolder: string;
  /** Shared by all worktrees of the repository, with objects and info/exclude. */
  readonly commonFolder: string;
}

/** Finds a worktree's git folders without running git; null if its `.git` leads nowhere. */
export function findGitFolders(root: string): GitFolders | null {
  const link = join(root, ".git");
  const gitFolder = isFolder(link) ? link : followGitFile(link, root);
  if (gitFolder === null || !isFolder(gitFolder)) return null;
  const common = readLine(join(gitFolder, "commondir"));
  return { gitFolder, commonFolder: common === "" ? gitFolder : resolve(gitFolder, common) };
}

function followGitFile(file: string, root: string): string | null {
  const target = /^gitdir: (.+)$/.exec(readLine(file))?.[1];
  return target === undefined ? null : resolve(root, target);
}

function readLine(file: string): string {
  return readOrEmpty(file).replace(/\r?\n$/, "");
}

const LARGEST_REF_BYTES = 1024;
const LARGEST_CONFIG_BYTES = 1024 * 1024;
const LARGEST_PACKED_BYTES = 32 * 1024 * 1024;

const NAME = "[\\w+@=,-][\\w.+@=,-]*";
const PLAIN_REF = new RegExp(`^refs/(?:heads|loopwright)/${NAME}(?:/${NAME})*$`);
const NO_NAME = /\.\.|\.(?:lock)?(?:\/|$)/;

/** Whether a text is a whole id: nothing else is handed to git, where it could be an option or another name. */
export function isObjectId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

const IDS = { sha1: /^[0-9a-f]{40}\n$/, sha256: /^[0-9a-f]{64}\n$/ } as const;

/** Where git looks for a `HEAD` when the current branch has no commit yet. */
const OTHER_HEADS = ["", "tags/", "heads/", "remotes/", "remotes/HEAD/"].map(
  (folder) => `refs/${folder}HEAD`,
);

/**
 * The current commit, from git's files; "none" before the first one. Null if the files are unusual and git has to be asked.
 */
export function headFromFiles(folders: GitFolders): string | null {
  const ids = formOfIds(folders);
  if (ids === null) return null;
  const head = readSmall(join(folders.gitFolder, "HEAD"), LARGEST_REF_BYTES);
  const ref = /^ref: (.+)\n$/.exec(head ?? "")?.[1];
  if (ref === undefined) return idIn(head, ids);
  const commit = readRef(folders, ref, ids);
  if (commit !== "missing") return commit;
  const packed = readPacked(folders);
  const hasOther = OTHER_HEADS.some(
    (other) =>
      packed === null || packed.includes(` ${other}\n`) || existsSync(join(folders.commonFolder, other)),
  );
  return hasOther ? null : "none";
}

/** What a branch or a ref of our own leads to; "missing" if nowhere, null if git has to be asked. */
export function refFromFiles(folders: GitFolders, ref: string): string | null {
  const ids = formOfIds(folders);
  return ids === null ? null : readRef(folders, ref, ids);
}

/** The branch that `HEAD` names; null if it names none, or git has to be asked. */
export function branchFromFiles(folders: GitFolders): string | null {
  if (formOfIds(folders) === null) return null;
  const head = readSmall(join(folders.gitFolder, "HEAD"), LARGEST_REF_BYTES);
  const ref = /^ref: (refs\/heads\/.+)\n$/.exec(head ?? "")?.[1];
  return ref !== undefined && PLAIN_REF.test(ref) && !NO_NAME.test(ref) ? ref : null;
}

/** Whether a ref has a name that git takes; null if only git can tell. */
export function isPlainRef(ref: string): true | null {
  return PLAIN_REF.test(ref) && !NO_NAME.test(ref) ? true : null;
}

function readRef(folders: GitFolders, ref: string, ids: RegExp): string | null {
  if (!PLAIN_REF.test(ref) || NO_NAME.test(ref)) return null;
  const loose = readSmall(join(folders.commonFolder, ref), LARGEST_REF_BYTES);
  if (loose !== "missing") return idIn(loose, ids);
  // In this order, because git packs a ref before deleting its file.
  const packed = readPacked(folders);
  if (packed === null) return null;
  const end = packed.indexOf(` ${ref}\n`);
  return end === -1 ? "missing" : idIn(`${packed.slice(packed.lastIndexOf("\n", end) + 1, end)}\n`, ids);
}

function readPacked({ commonFolder }: GitFolders): string | null {
  return readSmall(join(commonFolder, "packed-refs"), LARGEST_PACKED_BYTES);
}

/** Null if git might not accept this as a repository, or finds its refs elsewhere. */
function formOfIds({ commonFolder }: GitFolders): RegExp | null {
  const config = readSmall(join(commonFolder, "config"), LARGEST_CONFIG_BYTES);
  if (config === null || config === "missing") return null;
  const { hash, hasPlainRefs } = repositoryFormat(config);
  const hasFolders = ["objects", "refs"].every((name) => isFolder(join(commonFolder, name)));
  return hasPlainRefs && hasFolders ? IDS[hash] : null;
}

function idIn(text: string | null, ids: RegExp): string | null {
  return text !== null && ids.test(text) && !/^0+\n$/.test(text) ? text.trimEnd() : null;
}

/** Null if it isn't a plain file or is too large. */
function readSmall(path: string, limit: number): string | null {
  let file: number | null = null;
  try {
    // An error costs more than this check.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return "missing";
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = fstatSync(file);
    return found.isFile() && found.size <= limit ? readFileSync(file, "latin1") : null;
  } catch (error) {
    return errnoOf(error) === "ENOENT" ? "missing" : null;
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** The hash that names objects. */
export type ObjectHash = "sha1" | "sha256";

/** From a repository's own `config`: git reads these settings only from that file, never from an included one. */
interface RepositoryFormat {
  readonly hash: ObjectHash;
  /** No extension that changes where refs are or what they look like. */
  readonly hasPlainRefs: boolean;
}

const HARMLESS = /^\s*(?:objectformat|partialclone|worktreeconfig)\s*=[^\\]*$/i;

export function repositoryFormat(config: string): RepositoryFormat {
  const versions = [...config.matchAll(/repositoryformatversion[ \t]*=[ \t]*(.*)/gi)].map(
    ([, value]) => value,
  );
  const [, ...sections] = config.split(/\[\s*extensions\b.*?\]/i);
  const extensions = sections.flatMap((rest) => (rest.split("[")[0] ?? "").split("\n"));
  return {
    hash: extensions.some((line) => /^\s*objectformat\s*=\s*"?sha256\b/i.test(line)) ? "sha256" : "sha1",
    hasPlainRefs:
      versions.every((version) => version === "0" || version === "1") &&
      extensions.every((line) => line.trim() === "" || HARMLESS.test(line)),
  };
}
