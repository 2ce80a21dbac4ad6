import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

export interface DiskUse {
  readonly bytes: number;
  /** Not all of it was looked at: there is at least as much. */
  readonly isAtLeast: boolean;
}

const MOST_ENTRIES = 200_000;
const BLOCK_BYTES = 512;

/** What a folder takes on the disk. Links are not followed; a file with two names counts once. */
export async function diskUse(folder: string, mostEntries = MOST_ENTRIES): Promise<DiskUse> {
  const folders = [folder];
  const seen = new Set<string>();
  let bytes = 0;
  let entries = 0;
  for (const each of folders) {
    const found = await readdir(each, { withFileTypes: true }).catch(() => []);
    if (entries + found.length > mostEntries) return { bytes, isAtLeast: true };
    entries += found.length;
    const sizes = await Promise.all(found.map(({ name }) => lstat(join(each, name)).catch(() => null)));
    for (const [position, stat] of sizes.entries()) {
      if (stat === null) continue;
      const identity = `${stat.dev} ${stat.ino}`;
      if (stat.nlink > 1 && !stat.isDirectory()) {
        if (seen.has(identity)) continue;
        seen.add(identity);
      }
      bytes += stat.blocks * BLOCK_BYTES;
      if (stat.isDirectory()) folders.push(join(each, found[position]?.name ?? ""));
    }
  }
  return { bytes, isAtLeast: false };
}
