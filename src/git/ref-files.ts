import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { isFolder, type GitFolders } from "./git-folders.ts";
import { repositoryFormat } from "./repository-format.ts";

const LARGEST_REF_BYTES = 1024;
const LARGEST_CONFIG_BYTES = 1024 * 1024;
const LARGEST_PACKED_BYTES = 32 * 1024 * 1024;

const NAME = "[\\w+@=,-][\\w.+@=,-]*";
const PLAIN_REF = new RegExp(`^refs/(?:heads|loopwright)/${NAME}(?:/${NAME})*$`);
const NO_NAME = /\.\.|\.(?:lock)?(?:\/|$)/;

const IDS = { sha1: /^[0-9a-f]{40}\n$/, sha256: /^[0-9a-f]{64}\n$/ } as const;

/** The commit that is checked out, from git's files; null when they are not as they mostly are, and git has to be asked. */
export async function headFromFiles(folders: GitFolders): Promise<string | null> {
  const ids = await formOfIds(folders);
  if (ids === null) return null;
  const head = await readSmall(join(folders.gitFolder, "HEAD"), LARGEST_REF_BYTES);
  const ref = /^ref: (.+)\n$/.exec(head ?? "")?.[1];
  return ref === undefined ? idIn(head, ids) : readRef(folders, ref, ids);
}

/** The commit that a branch or a ref of ours leads to; null when it leads nowhere, and when git has to be asked. */
export async function refFromFiles(folders: GitFolders, ref: string): Promise<string | null> {
  const ids = await formOfIds(folders);
  return ids === null ? null : readRef(folders, ref, ids);
}

async function readRef({ commonFolder }: GitFolders, ref: string, ids: RegExp): Promise<string | null> {
  if (!PLAIN_REF.test(ref) || NO_NAME.test(ref)) return null;
  const loose = await readSmall(join(commonFolder, ref), LARGEST_REF_BYTES);
  if (loose !== "missing") return idIn(loose, ids);
  // In this order: a ref is packed before its own file goes.
  const packed = (await readSmall(join(commonFolder, "packed-refs"), LARGEST_PACKED_BYTES)) ?? "";
  const end = packed.indexOf(` ${ref}\n`);
  return end === -1 ? null : idIn(`${packed.slice(packed.lastIndexOf("\n", end) + 1, end)}\n`, ids);
}

/** Null when git itself would perhaps not take this for a repository, or finds its refs elsewhere. */
async function formOfIds({ commonFolder }: GitFolders): Promise<RegExp | null> {
  const config = await readSmall(join(commonFolder, "config"), LARGEST_CONFIG_BYTES);
  if (config === null || config === "missing") return null;
  const { hash, hasPlainRefs } = repositoryFormat(config);
  const folders = await Promise.all(["objects", "refs"].map((name) => isFolder(join(commonFolder, name))));
  return hasPlainRefs && !folders.includes(false) ? IDS[hash] : null;
}

function idIn(text: string | null, ids: RegExp): string | null {
  return text !== null && ids.test(text) && !/^0+\n$/.test(text) ? text.trimEnd() : null;
}

/** Null for what is no plain file, or too large. */
async function readSmall(path: string, limit: number): Promise<string | null> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      return found.isFile() && found.size <= limit ? await file.readFile("latin1") : null;
    } finally {
      await file.close();
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "missing" : null;
  }
}
