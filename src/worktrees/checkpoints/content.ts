import { keptFiles, listTree, withStore, type CheckpointStore } from "./store.ts";
import { toText, type IndexEntry } from "../../system/tree/index-entries.ts";
import type { KeptFile } from "./files.ts";
import { readLooseCommit } from "../../system/git/loose-objects.ts";

/** A file's mode and object, as git writes them: `100644 ID`. Equal texts are equal files. */
export type Version = string;

export interface CheckpointContent {
  /** Seconds; from before the first file was read. */
  readonly at: number;
  /** By path, as bytes in latin1. */
  readonly files: ReadonlyMap<string, Version>;
  readonly leftOut: ReadonlySet<string>;
}

/** Throws if it isn't a checkpoint or is incomplete. */
export async function readCheckpoint(store: CheckpointStore, id: string): Promise<CheckpointContent> {
  const commit = /^[0-9a-f]{40,64}$/.test(id)
    ? await contentOf(store, id).then(parseCommit, () => null)
    : null;
  if (commit === null) throw new Error(`${id.slice(0, 64)} is not a checkpoint in this repository.`);
  const files = new Map<string, Version>();
  for (const line of await listTree(store, commit.tree)) {
    const { path, version } = parseEntry(line);
    if (version === null || !isPlainPath(path) || store.git.stores.includes(path)) {
      throw new Error(`The checkpoint ${id.slice(0, 12)} has an entry that does not belong in a checkpoint.`);
    }
    files.set(path, version);
  }
  return { at: commit.at, files, leftOut: new Set(commit.leftOut) };
}

async function contentOf(store: CheckpointStore, commit: string): Promise<Buffer> {
  return readLooseCommit(store.objects, commit) ?? store.run(["cat-file", "commit", commit]);
}

/** The versions of the files in the current worktree. */
export function versionsOf(files: readonly IndexEntry[]): ReadonlyMap<string, Version> {
  return new Map(
    files.map(({ path, line }) => [path, line.slice(0, line.lastIndexOf(" ", line.indexOf("	")))]),
  );
}

function parseEntry(line: string): { readonly path: string; readonly version: Version | null } {
  const [, mode, object, path = ""] = /^(100644|100755|120000) blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
  return { path, version: mode === undefined ? null : `${mode} ${object}` };
}

/** Anyone who can write objects can write such a tree; it must not lead out of the worktree or into its `.git`. */
export function isPlainPath(path: string): boolean {
  return !/(?:^|\/)(?:\.{0,2}|\.git|git~1)(?:\/|$)/i.test(path);
}

interface Which {
  readonly root: string;
  readonly stateHome: string;
  readonly commit: string;
}

const TIME_LIMIT_MS = 2 * 60_000;

/** The files in a checkpoint, by path, and those that were too large to keep. Throws if it is incomplete. */
export async function versionsInCheckpoint(
  which: Which,
): Promise<{ readonly versions: ReadonlyMap<string, Version>; readonly leftOut: ReadonlySet<string> }> {
  return withStore({ ...which, signal: AbortSignal.timeout(TIME_LIMIT_MS) }, async (store) => {
    const { files, leftOut } = await readCheckpoint(store, which.commit);
    return {
      versions: new Map([...files].map(([path, version]) => [toText(path), version])),
      leftOut: new Set([...leftOut].map(toText)),
    };
  });
}

/** The contents of these files, without those that the checkpoint doesn't have. */
export async function filesInCheckpoint(
  which: Which,
  paths: ReadonlySet<string>,
): Promise<ReadonlyMap<string, KeptFile>> {
  return withStore({ ...which, signal: AbortSignal.timeout(TIME_LIMIT_MS) }, async (store) => {
    const { files } = await readCheckpoint(store, which.commit);
    const wanted = new Map([...files].filter(([path]) => paths.has(toText(path))));
    const found = new Map<string, KeptFile>();
    for await (const file of keptFiles(store, wanted)) found.set(toText(file.path), file);
    return found;
  });
}

/** What a checkpoint's commit contains besides its files. */
interface CheckpointCommit {
  readonly tree: string;
  readonly parent: string | null;
  /** Seconds; from before the first file was read. */
  readonly at: number;
  /** Paths of existing files that were not kept, which a restore leaves alone; as bytes in latin1. */
  readonly leftOut: readonly string[];
  readonly message: string;
}

const AUTHOR = "Loopwright <loop@localhost>";
const LEFT_OUT = "loopwright-left-out";
const LONGEST_MESSAGE = 4000;

/** As git stores it. What was left out is in the header, where message text cannot be mistaken for it. */
export function renderCommit({ tree, parent, at, leftOut, message }: CheckpointCommit): Buffer {
  const header = [
    `tree ${tree}`,
    ...(parent === null ? [] : [`parent ${parent}`]),
    `author ${AUTHOR} ${at} +0000`,
    `committer ${AUTHOR} ${at} +0000`,
    ...leftOut.map((path) => `${LEFT_OUT} ${asciiJson(path)}`),
  ];
  const text = message.slice(0, LONGEST_MESSAGE).replaceAll("\0", "").trim();
  return Buffer.from(`${header.join("\n")}\n\n${text}\n`, "utf8");
}

/** Null for a commit that isn't a checkpoint, such as the user's own. */
function parseCommit(content: Buffer): CheckpointCommit | null {
  const text = content.toString("utf8");
  const end = text.indexOf("\n\n");
  const lines = text.slice(0, Math.max(end, 0)).split("\n");
  const tree = valueOf(lines, "tree");
  const at = new RegExp(`^${AUTHOR} (\\d{1,12}) \\+0000$`).exec(valueOf(lines, "committer") ?? "")?.[1];
  if (tree === null || at === undefined) return null;
  const leftOut = lines.filter((line) => line.startsWith(`${LEFT_OUT} `));
  return {
    tree,
    parent: valueOf(lines, "parent"),
    at: Number(at),
    leftOut: leftOut.map((line) => String(JSON.parse(line.slice(LEFT_OUT.length + 1)))),
    message: text.slice(end + 2).trimEnd(),
  };
}

function valueOf(lines: readonly string[], name: string): string | null {
  return lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? null;
}

function asciiJson(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
