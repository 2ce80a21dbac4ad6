import { lstatSync, readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { setImmediate as turnOfOthers } from "node:timers/promises";

/** A file whose content or rights changed after a moment. */
export interface NewerFile {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  readonly changedAt: number;
  /** It was there before that moment, as far as the file system tells. */
  readonly isOlder: boolean;
  readonly bytes: number;
}

export interface NewerOptions {
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Files and folders that are left out, by path. */
  readonly skips: (path: string, entry: Dirent) => boolean;
  /** How many entries are looked at. */
  readonly most: number;
  /** Called with each file that is not newer. */
  readonly older?: (path: string) => void;
}

const AT_ONCE = 512;

/**
 * The files below a folder that are newer than a moment, and where the search ended if there were too many. The time of a change is
 * the one that nobody can set back. Doesn't follow links.
 */
export async function newerFiles({
  folder,
  since,
  skips,
  most,
  older,
}: NewerOptions): Promise<{ readonly files: readonly NewerFile[]; readonly isComplete: boolean }> {
  const files: NewerFile[] = [];
  const waiting = [""];
  let seen = 0;
  // Shallow folders first: where there are too many, those count most.
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const entry of entriesOf(join(folder, next))) {
      const path = next === "" ? entry.name : `${next}/${entry.name}`;
      if (skips(path, entry)) continue;
      if ((seen += 1) > most) return { files, isComplete: false };
      if (seen % AT_ONCE === 0) await turnOfOthers();
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() || entry.isSymbolicLink()) {
        const found = lstatSync(join(folder, path), { throwIfNoEntry: false });
        if (found === undefined) continue;
        const { ctimeMs, birthtimeMs, size } = found;
        if (ctimeMs <= since) older?.(path);
        else
          files.push({
            path,
            changedAt: ctimeMs,
            isOlder: birthtimeMs > 0 && birthtimeMs < since,
            bytes: size,
          });
      }
    }
  }
  return { files, isComplete: true };
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
