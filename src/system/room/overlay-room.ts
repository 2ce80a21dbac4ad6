import { closeSync, constants, fstatSync, openSync, statSync } from "node:fs";
import { chmod, lchown, mkdir, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { runCommand, type CommandOptions, type CommandOutcome } from "../process/run-command.ts";
import { coveredFolders, isWithin } from "./covered-folders.ts";
import { insideNamespaces } from "./enter.ts";
import { startHolder, type Namespaces } from "./holder.ts";
import { RoomError } from "./room-error.ts";

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
}

/**
 * The project under an overlay, at its own path, visible only to the processes in the room. Nothing is copied: changes by others
 * are visible inside, so compare the project's digest before and after a run.
 */
export async function openOverlayRoom({ root, scratch, namespaces }: OverlayOptions): Promise<BareRoom> {
  const folders = await coveredFolders(root);
  const around = folders.find((folder) => isWithin(scratch, folder));
  if (around !== undefined) throw new RoomError(`${scratch} lies inside ${around}, which the room covers`);
  for (const [index, folder] of folders.entries()) await prepareLayers(join(scratch, String(index)), folder);

  const holder = await startHolder({ namespaces, folders, scratch });
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
    const project = hold(`root${root}`, constants.O_RDONLY | constants.O_DIRECTORY);
    if (fstatSync(project).dev === statSync(root).dev) throw new RoomError("the overlay is not in place");
    return {
      base: `/proc/self/fd/${project}`,
      async run(options) {
        const outcome = await runCommand({ ...options, command: inside(options.command, options.cwd) });
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
