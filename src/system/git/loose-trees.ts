import { readLooseCommit, readLooseObject } from "./loose-objects.ts";

/** What two trees have at a path, as mode and object; a file that isn't there has a mode of zeros. Paths are bytes in latin1. */
export interface TreeChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** By name, with a slash behind the name of a folder. */
export type TreeRows = ReadonlyMap<string, string>;

const FOLDER = "40000";

/** More of them are quicker with git. */
const MOST_FOLDERS = 64;

/** What a folder of a commit holds, as mode and object. Null: it isn't in a file of its own, and git has to be asked. */
export function looseRows(objects: readonly string[], tree: string): TreeRows | null {
  for (const folder of objects) {
    const found = readLooseObject(folder, tree);
    if (found !== null) return found.type === "tree" ? rowsIn(found.content, tree.length / 2) : null;
  }
  return null;
}

const MODES = new Set([FOLDER, "100644", "100755", "120000", "160000"]);

/** Git itself writes no empty folder. */
const EMPTY =
  /^(?:4b825dc642cb6eb9a060e54bf8d69288fbee4904|6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321)$/;

/** Null: not as git itself writes it. Git puts up with some of what other programs write, and refuses the rest. */
function rowsIn(content: Buffer, idBytes: number): TreeRows | null {
  const rows = new Map<string, string>();
  let last = "";
  for (let at = 0; at < content.length;) {
    const blank = content.indexOf(" ", at);
    const end = content.indexOf(0, blank);
    const next = end + 1 + idBytes;
    const mode = content.toString("latin1", at, blank);
    if (blank === -1 || end === -1 || next > content.length || !MODES.has(mode)) return null;
    const name = content.toString("latin1", blank + 1, end);
    const id = content.toString("hex", end + 1, next);
    const isFolder = mode === FOLDER;
    const key = isFolder ? `${name}/` : name;
    if (name === "" || name.includes("/") || key <= last) return null;
    if (isFolder && (rows.has(name) || EMPTY.test(id))) return null;
    rows.set(key, `${mode.padStart(6, "0")} ${id}`);
    last = key;
    at = next;
  }
  return rows;
}

/** What differs between two trees, file by file and in the order of the paths. `objects`: folders to look in. Null: git has to be asked. */
export function looseChanges(
  objects: readonly string[],
  from: string,
  to: string,
): readonly TreeChange[] | null {
  const nothing = `000000 ${"0".repeat(to.length)}`;
  const changes: TreeChange[] = [];
  let folders = 0;
  const compare = (one: string | null, other: string | null, prefix: string): boolean => {
    folders += 1;
    const before = one === null ? NO_ROWS : looseRows(objects, one);
    const after = other === null ? NO_ROWS : looseRows(objects, other);
    if (before === null || after === null || folders > MOST_FOLDERS) return false;
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      const [then, now] = [before.get(name), after.get(name)];
      if (then === now) continue;
      if (!name.endsWith("/"))
        changes.push({ path: `${prefix}${name}`, before: then ?? nothing, after: now ?? nothing });
      else if (!compare(objectIn(then), objectIn(now), `${prefix}${name}`)) return false;
    }
    return true;
  };
  return from === to || compare(from, to, "") ? changes.toSorted(byPath) : null;
}

/** All files of a tree, as mode and object, in the order of the paths. Null: git has to be asked. */
export function looseFiles(objects: readonly string[], tree: string): TreeRows | null {
  const files = new Map<string, string>();
  let folders = 0;
  const read = (id: string, prefix: string): boolean => {
    folders += 1;
    const rows = folders > MOST_FOLDERS ? null : looseRows(objects, id);
    if (rows === null) return false;
    for (const [name, row] of rows)
      if (!name.endsWith("/")) files.set(`${prefix}${name}`, row);
      else if (!read(objectIn(row) ?? "", `${prefix}${name}`)) return false;
    return true;
  };
  return read(tree, "") ? files : null;
}

const NO_ROWS: TreeRows = new Map();

function objectIn(row: string | undefined): string | null {
  return row === undefined ? null : row.slice(row.indexOf(" ") + 1);
}

function byPath(one: TreeChange, other: TreeChange): number {
  return one.path < other.path ? -1 : 1;
}

export interface CommitLinks {
  readonly tree: string;
  readonly parents: readonly string[];
}

/** What a commit leads to. Null: git has to be asked. */
export function looseLinks(objects: string, commit: string): CommitLinks | null {
  const text = readLooseCommit(objects, commit)?.toString("latin1") ?? "";
  const [, tree, parents = ""] = /^tree ([0-9a-f]+)\n((?:parent [0-9a-f]+\n)*)/.exec(text) ?? [];
  if (tree === undefined) return null;
  return { tree, parents: [...parents.matchAll(/parent ([0-9a-f]+)/g)].map(([, id = ""]) => id) };
}
