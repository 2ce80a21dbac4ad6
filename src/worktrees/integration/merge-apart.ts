import type { ObjectHash } from "../../system/git/git-files.ts";
import { looseChanges, looseRows, type TreeChange } from "../../system/git/loose-trees.ts";
import { gitObject, treeRow, type GitObject } from "../checkpoints/git-objects.ts";

/** What two sides did to the files of a tree, as trees. */
export interface ThreeTrees {
  readonly base: string;
  readonly accepted: string;
  readonly result: string;
}

interface MergedApart {
  readonly tree: string;
  /** The folders of that tree that may not be there yet. */
  readonly written: readonly GitObject[];
}

/**
 * Most tasks change different files, and then a merge takes the files of each side as they are. A file that is gone may have been
 * renamed, with what the other side did to it or its folder, so git merges where a side removed one. Null: git has to merge.
 */
export function mergeApart(
  hash: ObjectHash,
  objects: readonly string[],
  { base, accepted, result }: ThreeTrees,
): MergedApart | null {
  const only = accepted === base || accepted === result ? result : result === base ? accepted : null;
  if (only !== null) return looseRows(objects, only) === null ? null : { tree: only, written: [] };
  const ours = looseChanges(objects, base, accepted);
  const theirs = ours === null ? null : looseChanges(objects, base, result);
  if (ours === null || theirs === null || [...ours, ...theirs].some(isRemoval) || doMeet(ours, theirs))
    return null;
  const written: GitObject[] = [];
  const changed = (tree: string | null, changes: readonly TreeChange[], depth: number): string | null => {
    const found = tree === null ? new Map<string, string>() : looseRows(objects, tree);
    if (found === null) return null;
    const rows = new Map(found);
    for (const [name, inside] of byName(changes, depth)) {
      const before = rows.get(name);
      const folder = name.endsWith("/")
        ? changed(before === undefined ? null : objectIn(before), inside, depth + name.length)
        : "";
      if (folder === null) return null;
      rows.set(name, folder === "" ? (inside[0]?.after ?? "") : `040000 ${folder}`);
    }
    const object = gitObject(hash, "tree", renderRows(rows));
    written.push(object);
    return object.id;
  };
  const tree = changed(accepted, theirs, 0);
  return tree === null ? null : { tree, written };
}

function isRemoval({ after }: TreeChange): boolean {
  return after.startsWith("000000 ");
}

/** Whether both have a path, or one has a file where the other has a folder. */
function doMeet(ours: readonly TreeChange[], theirs: readonly TreeChange[]): boolean {
  const files = new Set(ours.map(({ path }) => path));
  const folders = new Set(ours.flatMap(({ path }) => foldersOf(path)));
  return theirs.some(
    ({ path }) => files.has(path) || folders.has(path) || foldersOf(path).some((folder) => files.has(folder)),
  );
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** By the name in one folder, which is that deep in their paths. */
function byName(changes: readonly TreeChange[], depth: number): ReadonlyMap<string, readonly TreeChange[]> {
  const names = new Map<string, TreeChange[]>();
  for (const change of changes) {
    const slash = change.path.indexOf("/", depth);
    const name = change.path.slice(depth, slash === -1 ? undefined : slash + 1);
    names.set(name, [...(names.get(name) ?? []), change]);
  }
  return names;
}

/** In git's order, in which a folder's name has its slash. */
function renderRows(rows: ReadonlyMap<string, string>): Buffer {
  const sorted = [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Buffer.concat(
    sorted.map(([name, row]) =>
      treeRow(row.slice(0, 6).replace(/^0/, ""), name.replace(/\/$/, ""), objectIn(row)),
    ),
  );
}

function objectIn(row: string): string {
  return row.slice(7);
}
