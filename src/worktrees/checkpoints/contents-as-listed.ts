import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from "node:fs";
import type { Version } from "./content.ts";
import { diskPath } from "./files.ts";
import { gitObject, type GitObject } from "./git-objects.ts";
import { MOST_WRITTEN_BYTES } from "./limits.ts";
import { objectOf } from "./objects.ts";
import type { PrivateGit } from "../../system/tree/private-git.ts";

/** Doesn't follow links or wait for pipes: what was a file may be something else by now. */
const AS_IT_LIES = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The contents of these files, each once; null if one changed since it was listed. */
export function contentsAsListed(
  { root, hash }: PrivateGit,
  files: ReadonlyMap<string, Version>,
): readonly GitObject[] | null {
  const blobs = new Map<string, GitObject>();
  for (const [path, version] of files) {
    const isLink = version.startsWith("120000 ");
    const content = isLink ? linkText(diskPath(root, path)) : fileContent(diskPath(root, path));
    if (content === null) return null;
    const blob = gitObject(hash, "blob", content);
    if (blob.id !== objectOf(version)) return null;
    blobs.set(blob.id, blob);
  }
  return [...blobs.values()];
}

function linkText(path: Buffer): Buffer | null {
  try {
    return readlinkSync(path, { encoding: "buffer" });
  } catch {
    return null;
  }
}

/** Reads up to the size at opening, even if the file grows meanwhile. */
function fileContent(path: Buffer): Buffer | null {
  let file: number;
  try {
    file = openSync(path, AS_IT_LIES);
  } catch {
    return null;
  }
  try {
    const found = fstatSync(file);
    if (!found.isFile() || found.size > MOST_WRITTEN_BYTES) return null;
    const content = Buffer.allocUnsafe(found.size);
    return readSync(file, content) === found.size ? content : null;
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}
