import { realpath } from "node:fs/promises";
import type { CommandOptions, CommandOutcome } from "../process/run-command.ts";
import { openCopyRoom } from "./copy-room.ts";
import { findRoom, type RoomKind } from "./find-room.ts";
import { openOverlayRoom, type BareRoom } from "./overlay-room.ts";
import { replaceFiles, type Replacement } from "./replace-files.ts";
import { RoomError } from "./room-error.ts";
import { createScratch, fullDisk, isFull, removeScratch, sweepRooms } from "./scratch.ts";

/**
 * A clean room: the project with some files replaced. What commands change in the project is gone when the room closes; what they
 * change elsewhere (HOME, `/tmp`, the network) is not. A command sees what an earlier one left.
 */
export interface Room {
  /** Whether commands see the project at its own path; if not, `why` says what is wrong. */
  readonly isFaithful: boolean;
  readonly why: string | null;
  /** Like `runCommand`, inside the room. Throws a `RoomError` if the room failed. */
  run(options: CommandOptions): Promise<CommandOutcome>;
  close(): Promise<void>;
}

export interface RoomOptions {
  readonly root: string;
  readonly replacements: readonly Replacement[];
  /** The folder for all rooms: outside the project, and private. */
  readonly scratch: string;
  readonly signal?: AbortSignal;
  /** Whoever can do without rather has no room than a copy. */
  readonly isFaithfulOnly?: boolean;
}

export async function openRoom(options: RoomOptions): Promise<Room> {
  const { root, replacements, scratch, signal, isFaithfulOnly = false } = options;
  signal?.throwIfAborted();
  await sweepRooms(scratch);
  const kind = await findRoom(root, scratch);
  if (kind.type === "copy" && isFaithfulOnly)
    throw new RoomError(`there is no faithful clean room for this project: ${kind.why}`);
  if (kind.type === "none") throw new RoomError(`there is no clean room for this project: ${kind.why}`);
  const folder = await realpath(await createScratch(scratch));
  let bare: BareRoom | null = null;
  const close = async (): Promise<void> => {
    await bare?.close();
    await removeScratch(folder);
  };
  try {
    bare = await openBare(kind, { root: await realpath(root), scratch: folder, signal });
    await replaceFiles(bare.base, replacements);
    signal?.throwIfAborted();
  } catch (error) {
    const wasFull = isFull(folder);
    await close();
    throw wasFull ? fullDisk(scratch) : error;
  }
  const opened = bare;
  return {
    isFaithful: kind.type === "overlay",
    why: kind.type === "overlay" ? null : `a copy at another path: ${kind.why}`,
    async run(options) {
      const outcome = await opened.run(options);
      const hasPassed = outcome.ending.type === "exited" && outcome.ending.code === 0;
      if (!hasPassed && isFull(folder)) throw fullDisk(scratch);
      return outcome;
    },
    close,
  };
}

function openBare(
  kind: Exclude<RoomKind, { type: "none" }>,
  options: { readonly root: string; readonly scratch: string; readonly signal: AbortSignal | undefined },
): Promise<BareRoom> {
  if (kind.type === "copy") return openCopyRoom(options);
  return openOverlayRoom({ ...options, namespaces: kind.namespaces });
}
