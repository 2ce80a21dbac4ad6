import { chmodSync, lstatSync } from "node:fs";
import { join, relative } from "node:path";
import type { LoopId } from "../core/id.ts";
import type { Project } from "./project.ts";

/**
 * Why a project's `.loop/` is not used; null where it is sound. A clone can bring links along, and whatever is written or
 * deleted through one is somebody else's.
 */
export function linkBelow({ root, folder }: Project, id: LoopId | null): string | null {
  const loop =
    id === null ? [] : [id, ...["journal.jsonl", "runs", "evidence"].map((name) => join(id, name))];
  const used = [
    folder,
    ...["loops", "shape", ...loop.map((name) => join("loops", name))].map((name) => join(folder, name)),
  ];
  const link = used.find((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true);
  return link === undefined
    ? null
    : `${relative(root, link)} is a link, which is not followed; delete the link`;
}

/** Closes a folder of ours to other users, also one that an earlier version left open. */
export function keepPrivate(path: string): void {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true && (found.mode & 0o077) !== 0) chmodSync(path, 0o700);
  } catch {
    // It is another user's; who owns it says who may look.
  }
}
