import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { measureTree } from "./copy-tree.ts";
import { gitFoldersOf, isWithin } from "./covered-folders.ts";
import type { Namespaces } from "./holder.ts";
import { openOverlayRoom } from "./overlay-room.ts";
import { createScratch, fullDisk, isFull, removeScratch } from "./scratch.ts";

/** The kind of room a machine offers for a project. Only an overlay has the project at its own path. */
export type RoomKind =
  | { readonly type: "overlay"; readonly namespaces: Namespaces }
  | { readonly type: "copy"; readonly why: string }
  | { readonly type: "none"; readonly why: string };

const COPY_LIMITS = { files: 200_000, bytes: 2 * 1024 ** 3 };

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
  const reasons: string[] = [];
  for (const namespaces of candidates()) {
    const why = await whyNoOverlay(project, parent, namespaces);
    if (why === null) return { type: "overlay", namespaces };
    reasons.push(why);
  }
  return lookAtSize(project, reasons[0] ?? `${process.platform} has no overlays`);
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
  return { type: "copy", why: whyNoOverlay };
}
