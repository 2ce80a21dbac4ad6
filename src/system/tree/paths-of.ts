import { toText } from "./git-tree.ts";
import type { TreeReading } from "./tree-digest.ts";

/** The paths of all files that were read, in order. */
export function pathsOf({ tree, walked }: TreeReading): readonly string[] {
  const paths = tree === null ? [...(walked?.keys() ?? [])] : tree.files.map(({ path }) => toText(path));
  return paths.toSorted();
}
