import { realpath, stat } from "node:fs/promises";
import type { CommandOptions, CommandOutcome } from "../process/run-command.ts";
import { openCopyRoom, measureTree } from "./copy-room.ts";
import { isWithin } from "../files/folders.ts";
import { coveredFolders, openOverlayRoom, gitFoldersOf, type BareRoom } from "./overlay-room.ts";
import { replaceFiles, type Replacement } from "./replace-files.ts";
import { RoomError, createScratch, fullDisk, isFull, removeScratch, sweepRooms } from "./scratch.ts";
import { dirname, resolve } from "node:path";
import type { Namespaces } from "./mount-holder.ts";
import { openFreshRoom, type FreshPlace } from "./fresh-room.ts";

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
  /** Where only a copy can be had: any, one that doesn't take long, or rather none. */
  readonly copy?: "any" | "small" | "none";
  /** A home and a temporary folder of its own; only where the room is faithful. */
  readonly fresh?: FreshPlace | null;
}

export async function openRoom(options: RoomOptions): Promise<Room> {
  const { root, replacements, scratch, signal, copy = "any", fresh = null } = options;
  signal?.throwIfAborted();
  await sweepRooms(scratch);
  const kind = await findRoom(root, scratch);
  if (kind.type === "copy" && (copy === "none" || (copy === "small" && !kind.isSmall)))
    throw new RoomError(
      `there is no faithful clean room for this project: ${kind.why}${kind.isSmall ? "" : "; and it is too large to be copied each time"}`,
    );
  if (kind.type === "none") throw new RoomError(`there is no clean room for this project: ${kind.why}`);
  const folder = await realpath(await createScratch(scratch));
  let bare: BareRoom | null = null;
  const close = async (): Promise<void> => {
    await bare?.close();
    await removeScratch(folder);
  };
  try {
    bare = await openBare(kind, { root: await realpath(root), scratch: folder, signal, fresh });
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
  options: {
    readonly root: string;
    readonly scratch: string;
    readonly signal: AbortSignal | undefined;
    readonly fresh: FreshPlace | null;
  },
): Promise<BareRoom> {
  if (kind.type === "copy") return openCopyRoom(options);
  const { namespaces } = kind;
  return options.fresh === null
    ? openOverlayRoom({ ...options, namespaces })
    : openFreshRoom({ ...options, namespaces }, options.fresh);
}

/** The kind of room a machine offers for a project. Only an overlay has the project at its own path. */
export type RoomKind =
  | { readonly type: "overlay"; readonly namespaces: Namespaces }
  | { readonly type: "copy"; readonly why: string; readonly isSmall: boolean }
  | { readonly type: "none"; readonly why: string };

const COPY_LIMITS = { files: 200_000, bytes: 2 * 1024 ** 3 };
/** What is copied within seconds. */
const SMALL = { files: 30_000, bytes: 500 * 1024 ** 2 };

const TRIAL = {
  command: { kind: "shell", line: "exit 42" },
  timeoutMs: 10_000,
  env: {},
  passEnv: [],
} as const;

const found = new Map<string, Promise<RoomKind>>();

/** Tries it out, once per process and project. Rooms are created in `scratch`, outside the project. */
export async function findRoom(root: string, scratch: string): Promise<RoomKind> {
  const key = `${root}\0${scratch}`;
  const known = found.get(key) ?? look(root, scratch);
  found.set(key, known);
  try {
    return await known;
  } catch (error) {
    found.delete(key); // A full disk says nothing about the machine.
    throw error;
  }
}

async function look(root: string, parent: string): Promise<RoomKind> {
  const project = await realpath(root);
  if (isWithin(resolve(parent), project))
    return { type: "none", why: `the state home lies inside the project ${project}` };
  const place = await placeOf(project, parent);
  const proven = provenAt.get(place);
  if (proven !== undefined) return { type: "overlay", namespaces: proven };
  const reasons: string[] = [];
  for (const namespaces of candidates()) {
    const why = await whyNoOverlay(project, parent, namespaces);
    if (why === null) {
      provenAt.set(place, namespaces);
      return { type: "overlay", namespaces };
    }
    reasons.push(why);
  }
  return lookAtSize(project, reasons[0] ?? `${process.platform} has no overlays`);
}

/** What held a command, by the kind of place: a plan has a worktree for each attempt, one beside the other. */
const provenAt = new Map<string, Namespaces>();

/** Equal for folders beside each other that belong to the same user, and whose room covers the same folders besides them. */
async function placeOf(project: string, parent: string): Promise<string> {
  const { dev, mode, uid, gid } = await stat(project);
  const others = (await coveredFolders(project)).filter((folder) => folder !== project);
  return JSON.stringify([dirname(project), parent, dev, mode, uid, gid, others]);
}

function candidates(): readonly Namespaces[] {
  if (process.platform !== "linux") return [];
  const user = process.getuid?.() !== 0;
  return [
    { user, pid: true },
    { user, pid: false },
  ];
}

/** Opens a room and runs a command in it, the only way to know. */
async function whyNoOverlay(root: string, parent: string, namespaces: Namespaces): Promise<string | null> {
  const scratch = await createScratch(parent);
  try {
    const room = await openOverlayRoom({ root, scratch: await realpath(scratch), namespaces });
    try {
      const { ending, output } = await room.run({ ...TRIAL, cwd: root });
      return ending.type === "exited" && ending.code === 42
        ? null
        : `no command runs in it: ${output.trim()}`;
    } finally {
      await room.close();
    }
  } catch (error) {
    if (isFull(scratch)) throw fullDisk(parent);
    return error instanceof Error ? error.message : String(error);
  } finally {
    await removeScratch(scratch);
  }
}

async function lookAtSize(root: string, whyNoOverlay: string): Promise<RoomKind> {
  const git = (await gitFoldersOf(root)).filter((folder) => !isWithin(folder, root));
  const { files, bytes } = await measureTree([root, ...git.slice(0, 1)], COPY_LIMITS);
  if (files > COPY_LIMITS.files)
    return {
      type: "none",
      why: `${whyNoOverlay}; more than ${COPY_LIMITS.files} files are too many to copy`,
    };
  if (bytes > COPY_LIMITS.bytes)
    return { type: "none", why: `${whyNoOverlay}; more than 2 GB are too much to copy` };
  return { type: "copy", why: whyNoOverlay, isSmall: files <= SMALL.files && bytes <= SMALL.bytes };
}
