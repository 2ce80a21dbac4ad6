import { delimiter, dirname, isAbsolute, join, relative } from "node:path";
import { realOrSame } from "./real-or-same.ts";

/** The PATH folders outside a project, so that no program from a clone is mistaken for a system program. */
export function outsidePath(path: string, project: string): string {
  const root = realOrSame(project);
  // Everything is inside the root folder, and nobody cloned it.
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
