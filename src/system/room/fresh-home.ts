import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { newerFiles } from "../tree/newer-files.ts";

/** A home folder as it was at a moment, as far as it can be told. */
export interface FreshHome {
  /** The real one. */
  readonly from: string;
  /** Files in it that are left out, relative to it. */
  readonly without: readonly string[];
}

const MOST_SEEN = 20_000;
const DEEPEST = 6;

/**
 * The settings and tools in a home folder that are newer than a moment. Only its hidden folders have some; those of `apart` are left
 * out of the search.
 */
export async function newerInHome(
  home: string,
  since: number,
  apart: readonly string[],
): Promise<readonly string[]> {
  const { files } = await newerFiles({
    folder: home,
    since,
    most: MOST_SEEN,
    skips: (path, entry) =>
      (entry.isDirectory() && !path.startsWith(".")) ||
      path.split("/").length > DEEPEST ||
      apart.includes(join(home, path)),
  });
  return files.map(({ path }) => path);
}

/** Lays it out in an empty folder: links to everything that stays, so that tools find themselves whatever they are called. */
export async function layHome({ from, without }: FreshHome, to: string): Promise<void> {
  const gone = new Set(without);
  const opened = new Set(without.flatMap(foldersOf));
  async function lay(folder: string): Promise<void> {
    await mkdir(join(to, folder), { recursive: true, mode: 0o700 });
    for (const name of await readdir(join(from, folder)).catch(() => [])) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (gone.has(path)) continue;
      if (opened.has(path)) await lay(path);
      else await symlink(join(from, path), join(to, path));
    }
  }
  await lay("");
}

function foldersOf(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}
