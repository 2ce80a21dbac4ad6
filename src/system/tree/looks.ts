import { closeSync, lstatSync, openSync, readdirSync, statSync, utimesSync, type BigIntStats } from "node:fs";
import { join } from "node:path";
import { isMangled } from "./file-version.ts";
import type { OwnStores } from "./ignored-files.ts";

/** Beyond this, git looks faster than we do. */
const MOST_ENTRIES = 1_000;

/** What can be seen of files and folders without reading them. */
export interface Looks {
  readonly text: string;
  /** Whether whatever changes from now on will look different: nothing was changed in the very moment of looking. */
  readonly areSettled: boolean;
}

/**
 * How everything in a folder looks, ignored or not. Equal looks that were settled the first time mean equal files: each change gives a
 * file, or the folder it is in, the time of the change, which nobody can set. `marker`: a file of ours, by which that clock is read.
 * Null where that can't be said: there are too many, there is a repository inside, another disk, or a name in no encoding.
 */
export function looksOf(root: string, marker: string, stores: OwnStores): Looks | null {
  try {
    const now = nowBy(marker);
    const seen: string[] = [];
    let areSettled = true;
    const look = (path: string, found: BigIntStats): void => {
      if (found.dev !== now.dev || seen.length === MOST_ENTRIES) throw new Unknowable();
      if (found.ctimeNs >= now.ctimeNs) areSettled = false;
      seen.push(`${path}\0${found.ino} ${found.ctimeNs} ${found.mtimeNs} ${found.size} ${found.mode}`);
    };
    const walk = (prefix: string): void => {
      look(prefix, lstatSync(join(root, prefix), { bigint: true }));
      for (const entry of readdirSync(join(root, prefix), { withFileTypes: true })) {
        const path = `${prefix}${entry.name}`;
        if ((entry.name === ".git" && prefix !== "") || isMangled(path)) throw new Unknowable();
        if (path === ".git" || stores.includes(path)) continue;
        if (entry.isDirectory()) walk(`${path}/`);
        else look(path, lstatSync(join(root, path), { bigint: true }));
      }
    };
    walk("");
    return { text: seen.join("\0"), areSettled };
  } catch {
    return null;
  }
}

class Unknowable extends Error {}

/** The time that a change would get now, on the disk where the marker is. */
function nowBy(marker: string): BigIntStats {
  closeSync(openSync(marker, "a", 0o600));
  utimesSync(marker, 0, 0);
  return statSync(marker, { bigint: true });
}
