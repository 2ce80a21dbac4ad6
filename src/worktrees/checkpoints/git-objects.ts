import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { Version } from "./content.ts";
import type { ObjectHash } from "../../system/git/git-files.ts";

/** As git would write it, under the name git would give it. */
export interface GitObject {
  readonly type: "commit" | "tree" | "blob";
  readonly id: string;
  readonly content: Buffer;
}

const PACKED_TYPES = { commit: 1, tree: 2, blob: 3 } as const;

export function gitObject(hash: ObjectHash, type: GitObject["type"], content: Buffer): GitObject {
  const id = createHash(hash).update(headerOf(type, content)).update(content).digest("hex");
  return { type, id, content };
}

/** The header before an object's content, both in its file and for its name. */
export function headerOf(type: GitObject["type"], content: Buffer): string {
  return `${type} ${content.length}\0`;
}

/** One per folder, the root last. The files are in the order of git's index. */
export function treesOf(
  hash: ObjectHash,
  files: readonly (readonly [string, Version])[],
): readonly GitObject[] {
  const trees: GitObject[] = [];
  const addTree = (from: number, to: number, depth: number): string => {
    const rows: Buffer[] = [];
    for (let at = from; at < to;) {
      const [path, version] = files[at] ?? ["", ""];
      const slash = path.indexOf("/", depth);
      let next = at + 1;
      if (slash === -1) {
        rows.push(row(version.slice(0, 6), path.slice(depth), version.slice(7)));
      } else {
        const folder = path.slice(0, slash + 1);
        while (next < to && files[next]?.[0].startsWith(folder) === true) next += 1;
        rows.push(row("40000", path.slice(depth, slash), addTree(at, next, slash + 1)));
      }
      at = next;
    }
    const tree = gitObject(hash, "tree", Buffer.concat(rows));
    trees.push(tree);
    return tree.id;
  };
  addTree(0, files.length, 0);
  return trees;
}

function row(mode: string, name: string, id: string): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`, "latin1"), Buffer.from(id, "hex")]);
}

/** What `git unpack-objects` reads. */
export function renderPack(hash: ObjectHash, objects: readonly GitObject[]): Buffer {
  const header = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1");
  header.writeUInt32BE(objects.length, 8);
  const parts = objects.flatMap(({ type, content }) => [
    sizeOf(PACKED_TYPES[type], content.length),
    deflateSync(content, { level: 1 }),
  ]);
  const pack = Buffer.concat([header, ...parts]);
  return Buffer.concat([pack, createHash(hash).update(pack).digest()]);
}

/** Four bits of the size beside the type, then seven in each byte, the lowest first; the highest bit says that more follow. */
function sizeOf(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 128;
    bytes.push(rest & 127);
  }
  return Buffer.from(bytes);
}
