import {
  readFile,
  rm,
  writeFile,
  chmod,
  copyFile,
  lchown,
  lstat,
  lutimes,
  mkdir,
  readdir,
  readlink,
  symlink,
} from "node:fs/promises";
import { join, relative } from "node:path";
import { runCommand } from "../process/run-command.ts";
import { isWithin } from "../files/folders.ts";
import { gitFoldersOf, type BareRoom } from "./overlay-room.ts";
import { constants, type Dirent, type Stats } from "node:fs";
import { errnoOf } from "../files/path-errors.ts";

interface CopyRoomOptions {
  /** Without symbolic links. */
  readonly root: string;
  readonly scratch: string;
  readonly signal: AbortSignal | undefined;
}

/** The project copied to another path, for machines that can't do better. */
export async function openCopyRoom({ root, scratch, signal }: CopyRoomOptions): Promise<BareRoom> {
  const base = join(scratch, "project");
  await copyTree({ from: root, to: base, signal });
  await bringGitAlong({ root, base, signal });
  return {
    base,
    async run(options) {
      const cwd = isWithin(options.cwd, root) ? join(base, relative(root, options.cwd)) : options.cwd;
      const outcome = await runCommand({ ...options, cwd });
      // Whoever reads it looks for the files in the project.
      return { ...outcome, output: outcome.output.replaceAll(base, root) };
    },
    async close() {},
  };
}

/** A git folder elsewhere would still be the real one. The copy gets its own, including objects, because git touches borrowed ones. */
async function bringGitAlong(options: {
  readonly root: string;
  readonly base: string;
  readonly signal: AbortSignal | undefined;
}): Promise<void> {
  const { root, base, signal } = options;
  const [common, own] = await gitFoldersOf(root);
  if (common === undefined || own === undefined || isWithin(common, root)) return;
  const git = join(base, ".git");
  await rm(git, { recursive: true, force: true });
  await copyTree({ from: common, to: git, without: ["worktrees", "modules"], signal });
  if (own !== common) await copyTree({ from: own, to: git, without: ["commondir", "gitdir"], signal });
  const config = await readFile(join(git, "config"), "utf8");
  await writeFile(join(git, "config"), config.replaceAll(/^\s*(worktree|bare)\s*=.*$/gim, ""));
}

interface CopyOptions {
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
async function copyTree({ from, to, without = [], signal }: CopyOptions): Promise<void> {
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
