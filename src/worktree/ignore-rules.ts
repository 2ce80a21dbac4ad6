import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { IndexEntry } from "./index-listing.ts";

/**
 * A digest of all that decides which of the listed files are ignored. The `.gitignore` files are looked for on the disk
 * and not in the listing, because one can ignore itself.
 */
export function ignoreRules(root: string, entries: readonly IndexEntry[], outerRules: string): string {
  const hash = createHash("sha256").update(outerRules);
  const start = Buffer.from(join(root, "/"));
  for (const folder of foldersOf(entries)) {
    const file = Buffer.concat([start, Buffer.from(`${folder}.gitignore`, "latin1")]);
    // Most folders have none, and this is the cheapest question.
    if (existsSync(file) && statSync(file).isFile()) {
      hash.update(`\0${folder}\0`).update(readFileSync(file));
    }
  }
  return hash.digest("hex");
}

/** Each with a slash at its end, the root as an empty text. */
function foldersOf(entries: readonly IndexEntry[]): Set<string> {
  const folders = new Set([""]);
  let previous = "";
  for (const { path } of entries) {
    let folder = path.slice(0, path.lastIndexOf("/") + 1);
    if (folder === previous) continue;
    previous = folder;
    while (!folders.has(folder)) {
      folders.add(folder);
      folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
    }
  }
  return folders;
}
