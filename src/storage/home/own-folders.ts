import { chmodSync, lstatSync } from "node:fs";
import { join, relative } from "node:path";
import type { LoopId } from "../../core/loop/id.ts";
import type { Project } from "./project.ts";

/**
 * Why a project's `.loop/` cannot be used; null if it can. A clone can contain links, and writing or deleting through one
 * would hit somebody else's files.
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

/** Closes our folder to other users, even if an earlier version left it open. */
export function keepPrivate(path: string): void {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true && (found.mode & 0o077) !== 0) chmodSync(path, 0o700);
  } catch {
    // It belongs to another user, who decides who may read it.
  }
}
