import { realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, relative } from "node:path";

/** The folders of a PATH that lie outside a project: no program that a clone brings along is taken for one of the system's. */
export function outsidePath(path: string, project: string): string {
  const root = realOrSame(project);
  // Everything lies below it, and nobody cloned it.
  if (dirname(root) === root) return path;
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(root, realOrSame(folder)))
    .join(delimiter);
}

function isInside(root: string, folder: string): boolean {
  const way = relative(root, folder);
  return way === "" || (!isAbsolute(way) && !`${way}/`.startsWith(join("..", "/")));
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
