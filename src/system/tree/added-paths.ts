import { pathsOf } from "./paths-of.ts";
import type { TreeReading } from "./tree-digest.ts";

/** The files that are in the later reading alone; none if either is unknown. */
export function addedPaths(before: TreeReading | null, after: TreeReading | null): readonly string[] {
  if (before === null || after === null || before.digest === after.digest) return [];
  const known = new Set(pathsOf(before));
  return pathsOf(after).filter((path) => !known.has(path));
}
