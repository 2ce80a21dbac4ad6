import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  statSync,
  existsSync,
  readdirSync,
  readFileSync,
} from "node:fs";
import { chmod, lchown, mkdir, stat, utimes, realpath } from "node:fs/promises";
import { join, dirname } from "node:path";
import { runCommand, type CommandOptions, type CommandOutcome } from "../process/run-command.ts";
import { insideNamespaces, startHolder, type Namespaces } from "./mount-holder.ts";
import { RoomError } from "./scratch.ts";
import { isWithin } from "../files/folders.ts";
import { findGitFolders } from "../git/git-files.ts";

/** A room before its files are replaced. */
export interface BareRoom {
  /** Where its files can be changed from outside until it is closed. */
  readonly base: string;
  run(options: CommandOptions): Promise<CommandOutcome>;
  close(): Promise<void>;
}

export interface OverlayOptions {
  /** Without symbolic links. */
  readonly root: string;
  readonly scratch: string;
  readonly namespaces: Namespaces;
  /** Where its own temporary folder is mounted; null: it has none. */
  readonly temporary?: string | null;
}

/**
 * The project under an overlay, at its own path, visible only to the processes in the room. Nothing is copied: changes by others
 * are visible inside, so compare the project's digest before and after a run.
 */
export async function openOverlayRoom({
  root,
  scratch,
  namespaces,
  temporary = null,
}: OverlayOptions): Promise<BareRoom> {
  const folders = await coveredFolders(root);
  const around = folders.find((folder) => isWithin(scratch, folder));
  if (around !== undefined) throw new RoomError(`${scratch} lies inside ${around}, which the room covers`);
  for (const [index, folder] of folders.entries()) await prepareLayers(join(scratch, String(index)), folder);

  const holder = await startHolder({ namespaces, folders, scratch, temporary });
  // Held open instead of found by the holder's id, which could be reused.
  const handles: number[] = [];
  const hold = (path: string, flags: number): number => {
    const handle = openSync(`/proc/${holder.pid}/${path}`, flags);
    handles.push(handle);
    return handle;
  };
  const close = async (): Promise<void> => {
    for (const handle of handles.splice(0)) closeSync(handle);
    await holder.end();
  };
  try {
    const inside = insideNamespaces(namespaces, (name) => hold(`ns/${name}`, constants.O_RDONLY));
    // There, these are the processes of the room alone, and the first of them is the holder.
    const processes = namespaces.pid ? hold("root/proc", constants.O_RDONLY | constants.O_DIRECTORY) : null;
    const isOver = (): boolean =>
      processes !== null &&
      readdirSync(`/proc/self/fd/${processes}`).filter((name) => /^\d+$/.test(name)).length === 1;
    const project = hold(`root${root}`, constants.O_RDONLY | constants.O_DIRECTORY);
    if (fstatSync(project).dev === statSync(root).dev) throw new RoomError("the overlay is not in place");
    return {
      base: `/proc/self/fd/${project}`,
      async run(options) {
        const outcome = await runCommand({
          ...options,
          command: inside(options.command, options.cwd),
          hasOneStream: options.command.kind === "shell",
          isOver,
        });
        if (!(await holder.isAlive()))
          throw new RoomError("the clean room was ended while a command ran in it");
        return outcome;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The upper layer's folder replaces the covered one, including its permissions. */
async function prepareLayers(layers: string, folder: string): Promise<void> {
  const upper = join(layers, "upper");
  for (const each of [layers, join(layers, "lower"), upper, join(layers, "work")]) await mkdir(each);
  const { mode, uid, gid, atime, mtime } = await stat(folder);
  await lchown(upper, uid, gid).catch(() => {}); // Only root may give it away.
  await chmod(upper, mode & 0o7777);
  await utimes(upper, atime, mtime);
}

/**
 * The folders whose changes a room throws away: the project, the git folders that a linked worktree or a submodule has elsewhere
 * (a commit inside would move the real branch), and anything mounted inside them. Outer ones first.
 */
export async function coveredFolders(root: string): Promise<readonly string[]> {
  const folders = [root];
  for (const folder of await gitFoldersOf(root))
    if (!folders.some((each) => isWithin(folder, each))) folders.push(folder);
  const nested = mountPoints().filter((point) =>
    folders.some((each) => point !== each && isWithin(point, each)),
  );
  return [...new Set([...folders, ...nested])].toSorted((a, b) => a.length - b.length);
}

/** The common folder first, which usually contains the other one. Doesn't run git. */
export async function gitFoldersOf(root: string): Promise<readonly string[]> {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) {
      const found = findGitFolders(folder);
      if (found === null) return [];
      return [await realpath(found.commonFolder), await realpath(found.gitFolder)];
    }
    if (folder === dirname(folder)) return [];
  }
}

function mountPoints(): readonly string[] {
  const lines = readFileSync("/proc/self/mountinfo").toString("latin1").split("\n");
  return lines.flatMap((line) => {
    const point = line.split(" ")[4];
    return point === undefined ? [] : [unescaped(point)];
  });
}

/** The kernel writes blanks, line ends and backslashes as octal numbers. */
function unescaped(point: string): string {
  const bytes = point.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
