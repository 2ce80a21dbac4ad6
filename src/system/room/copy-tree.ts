import { constants, type Dirent, type Stats } from "node:fs";
import { chmod, copyFile, lchown, lstat, lutimes, mkdir, readdir, readlink, symlink } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../files/errno.ts";
import { isWithin } from "./covered-folders.ts";

export interface CopyOptions {
  readonly from: string;
  readonly to: string;
  /** Names in the folder itself that are left out. */
  readonly without?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Copies a folder with permissions and times, sharing blocks if the file system can. Links into the folder lead into the copy.
 * Leaves out sockets, pipes and devices, and files that vanish or cannot be read.
 */
export async function copyTree({ from, to, without = [], signal }: CopyOptions): Promise<void> {
  async function copyFolder(path: string, skipped: readonly string[]): Promise<void> {
    signal?.throwIfAborted();
    const source = join(from, path);
    const found = await lstat(source);
    await mkdir(join(to, path), { recursive: true });
    const entries = (await readdir(source, { withFileTypes: true })).filter(
      ({ name }) => !skipped.includes(name),
    );
    await Promise.all(entries.filter((each) => !each.isDirectory()).map((each) => copyEntry(path, each)));
    for (const each of entries) if (each.isDirectory()) await ifThere(copyFolder(join(path, each.name), []));
    await keepRights(join(to, path), found);
  }

  async function copyEntry(folder: string, entry: Dirent): Promise<void> {
    const source = join(from, folder, entry.name);
    const target = join(to, folder, entry.name);
    if (entry.isSymbolicLink()) {
      const leads = await readlink(source);
      await symlink(isWithin(leads, from) ? join(to, leads.slice(from.length)) : leads, target);
    } else if (entry.isFile()) {
      await ifThere(
        copyFile(source, target, constants.COPYFILE_FICLONE).then(async () =>
          keepRights(target, await lstat(source)),
        ),
      );
    }
  }

  await copyFolder("", without);
}

/** The size of folders; stops counting at a limit. */
export async function measureTree(
  folders: readonly string[],
  limits: { readonly files: number; readonly bytes: number },
): Promise<{ readonly files: number; readonly bytes: number }> {
  let files = 0;
  let bytes = 0;
  async function measure(folder: string): Promise<void> {
    if (files > limits.files || bytes > limits.bytes) return;
    const entries = await readdir(folder, { withFileTypes: true });
    files += entries.length;
    await Promise.all(
      entries
        .filter((each) => each.isFile())
        .map((each) => ifThere(lstat(join(folder, each.name)).then(({ size }) => void (bytes += size)))),
    );
    for (const each of entries) if (each.isDirectory()) await ifThere(measure(join(folder, each.name)));
  }
  for (const folder of folders) await measure(folder);
  return { files, bytes };
}

async function keepRights(path: string, { mode, uid, gid, atime, mtime }: Stats): Promise<void> {
  if (process.getuid?.() === 0) await lchown(path, uid, gid);
  await chmod(path, mode & 0o7777);
  await lutimes(path, atime, mtime);
}

async function ifThere(done: Promise<void>): Promise<void> {
  try {
    await done;
  } catch (error) {
    if (!["ENOENT", "EACCES"].includes(errnoOf(error) ?? "")) throw error;
  }
}
