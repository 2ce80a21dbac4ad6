import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { foldersOf } from "./folders-of.ts";
import type { IndexEntry } from "./index-listing.ts";

/**
 * A digest of everything that decides which listed files are ignored. Looks for `.gitignore` files on disk, not in the listing,
 * because one can ignore itself.
 */
export function ignoreRules(root: string, entries: readonly IndexEntry[], outerRules: string): string {
  const hash = createHash("sha256").update(outerRules);
  const start = Buffer.from(join(root, "/"));
  for (const folder of foldersOf(entries.map(({ path }) => path))) {
    const file = Buffer.concat([start, Buffer.from(`${folder}.gitignore`, "latin1")]);
    // Most folders have none, and this is the cheapest check.
    if (existsSync(file) && statSync(file).isFile()) {
      hash.update(`\0${folder}\0`).update(readFileSync(file));
    }
  }
  return hash.digest("hex");
}
