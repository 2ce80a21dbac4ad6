import { statSync, existsSync, readFileSync, readdirSync } from "node:fs";
import { join, dirname, relative, resolve, sep } from "node:path";
import { readLines } from "../../system/files/lines.ts";
import { withFile } from "../../system/files/read-file.ts";
import type { Host } from "../../agents/hosts/host.ts";
import type { Project } from "../../storage/home/project.ts";
import type { SessionStart } from "../../storage/home/session-files.ts";

const LONGEST_ROW_BYTES = 8 * 1024 * 1024;

/**
 * Whether a session wrote a store itself. If the repository is older than the session, a newer, untracked store was written in the
 * session. If the repository is newer, or there is none, the project may be a copy of a template whose store contains untrusted
 * text for the model: then the session's transcript has to show who wrote it.
 */
export function isWrittenHere(
  { root }: Project,
  store: string,
  { startedAt }: Pick<SessionStart, "startedAt">,
  transcript: { readonly path: string; readonly host: Host },
): boolean {
  const made = statSync(join(root, ".git"), { throwIfNoEntry: false })?.birthtimeMs;
  if (made !== undefined && made < startedAt) return true;
  let isSeen = false;
  withFile(transcript.path, (file, { size }) =>
    readLines(file, { from: 0, until: size, limitBytes: LONGEST_ROW_BYTES }, (line) => {
      isSeen ||= transcript.host.isToolWriting(line, store);
    }),
  );
  return isSeen;
}

const SIZE_LIMIT_BYTES = 256 * 1024 * 1024;
const NAME_LENGTH = 0xfff;

/**
 * Whether git tracks a path of a project, read from the index alone, because no git command runs before anything is trusted.
 * What came with a clone is untrusted. If the index cannot be read, everything counts as tracked. A path that ends with a slash
 * is a folder: is anything in it tracked?
 */
export function isTrackedByGit(root: string, path: string): boolean {
  const top = worktreeAbove(root);
  if (top === null) return false;
  let index: Buffer | null;
  try {
    index = readIndex(gitFolderOf(top));
  } catch {
    return true;
  }
  if (index === null) return false;
  const names = [...relative(top, root).split(sep), ...path.split("/")].filter((name) => name !== "");
  const isFolder = path.endsWith("/");
  // A folder that is itself an entry is a submodule, and all of its content is untrusted.
  const folders = names.slice(0, isFolder ? undefined : -1);
  const above = folders.map((_, count) => names.slice(0, count + 1).join("/"));
  const text = index.toString("latin1").toLowerCase();
  const holds = (wanted: string, whole: boolean): boolean => holdsEntry(index, text, wanted, whole);
  return (
    above.some((each) => holds(each, true)) || holds(`${names.join("/")}${isFolder ? "/" : ""}`, !isFolder)
  );
}

function worktreeAbove(root: string): string | null {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return null;
  }
}

function gitFolderOf(top: string): string {
  const link = join(top, ".git");
  if (statSync(link).isDirectory()) return link;
  const target = /^gitdir: (.+?)\r?\n?$/.exec(readFileSync(link, "utf8"))?.[1];
  if (target === undefined) throw new Error("the .git file leads nowhere");
  return resolve(top, target);
}

/** null: nothing was ever added. */
function readIndex(gitFolder: string): Buffer | null {
  const path = join(gitFolder, "index");
  const names = readdirSync(gitFolder);
  if (!names.includes("index")) return null;
  if (names.some((name) => name.startsWith("sharedindex."))) throw new Error("the index is split");
  if (statSync(path).size > SIZE_LIMIT_BYTES) throw new Error("the index is too large");
  const index = readFileSync(path);
  const version = index.length < 12 ? 0 : index.readUInt32BE(4);
  // From version 4 on, names are compressed.
  if (index.toString("latin1", 0, 4) !== "DIRC" || (version !== 2 && version !== 3)) {
    throw new Error("the index is of another form");
  }
  return index;
}

/** An entry's name comes after its length and before a NUL. Some disks ignore case. */
function holdsEntry(index: Buffer, text: string, wanted: string, whole: boolean): boolean {
  const bytes = Buffer.from(wanted, "utf8").toString("latin1").toLowerCase();
  for (let at = text.indexOf(bytes); at !== -1; at = text.indexOf(bytes, at + 1)) {
    const length = text.indexOf("\0", at) - at;
    if (whole && length !== bytes.length) continue;
    const isNamed = [2, 4].some(
      (back) => at >= back && (index.readUInt16BE(at - back) & NAME_LENGTH) === Math.min(length, NAME_LENGTH),
    );
    if (isNamed) return true;
  }
  return false;
}
