import { readdir } from "node:fs/promises";
import { join } from "node:path";

export interface Walk {
  readonly root: string;
  /** Relative to the root, with slashes; the empty string is the root itself. */
  readonly from: string;
  skip(path: string, name: string): boolean;
}

/** All files and symbolic links in a folder, relative to the root, with slashes. Doesn't follow links. */
export async function* walkFiles(walk: Walk): AsyncGenerator<string> {
  const waiting = [walk.from];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await readdir(join(walk.root, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (walk.skip(path, entry.name)) continue;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() || entry.isSymbolicLink()) yield path;
    }
  }
}
