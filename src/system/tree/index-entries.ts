import type { GitOutcome } from "../git/run-git.ts";
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from "node:fs";
import type { ObjectHash } from "../git/git-files.ts";

/** Paths are bytes in latin1: git's output goes back to git unchanged, whatever its encoding. */
export interface IndexEntry {
  readonly path: string;
  /** Mode, object, stage and path, as git lists them. */
  readonly line: string;
}

/** Parses `git ls-files --stage -z`. */
export function parseListing(stdout: Buffer): IndexEntry[] {
  return parsePaths(stdout).map((line) => ({ line, path: line.slice(line.indexOf("\t") + 1) }));
}

/** A repository inside the repository. */
export function isGitlink(entry: IndexEntry): boolean {
  return entry.line.startsWith("160000 ");
}

export function parsePaths(stdout: Buffer): string[] {
  return stdout.toString("latin1").split("\0").slice(0, -1);
}

export function renderPaths(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
}

/** As git sorts them. */
export function byPath(one: IndexEntry, other: IndexEntry): number {
  return one.path < other.path ? -1 : 1;
}

export function toText(path: string): string {
  // True for nearly all files of a large project.
  if (/^[\0-\x7f]*$/.test(path)) return path;
  return Buffer.from(path, "latin1").toString("utf8");
}

/** Where a path of git leads, byte by byte, since a name need not be in any encoding. */
export function diskPath(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}

/** For steps whose failure makes the whole digest impossible. */
export function expectSuccess(outcome: GitOutcome): Buffer {
  if (!outcome.ok) throw new Error(`git failed: ${outcome.message}`);
  return outcome.stdout;
}

export const LIMIT_BYTES = 1024 * 1024 * 1024;

const HEADER_BYTES = 12;

/** The part of an entry before its object: times, device, file, mode, owner and size. */
const STAT_BYTES = 40;
const MODE_AT = 24;

const EXTENDED = 0x4000;

export const ID_BYTES = { sha1: 20, sha256: 32 } as const;

/**
 * The entries of a git index file, as `git ls-files --stage` lists them; empty if there is no file. Null for a file that only
 * git understands, such as another version or a split index.
 */
export function readIndexFile(path: string, hash: ObjectHash): IndexEntry[] | null {
  if (!existsSync(path)) return [];
  // A path in a repository may be anything, so don't wait for a pipe.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = fstatSync(file);
    if (!found.isFile() || found.size > LIMIT_BYTES) return null;
    return parseIndexFile(readFileSync(file), ID_BYTES[hash]);
  } finally {
    closeSync(file);
  }
}

function parseIndexFile(file: Buffer, idBytes: number): IndexEntry[] | null {
  const entries: IndexEntry[] = [];
  const isWhole = walkIndexFile(file, idBytes, (start, path, stage) => {
    const mode = file
      .readUInt32BE(start + MODE_AT)
      .toString(8)
      .padStart(6, "0");
    const object = file.toString("hex", start + STAT_BYTES, start + STAT_BYTES + idBytes);
    entries.push({ path, line: `${mode} ${object} ${stage}\t${path}` });
  });
  return isWhole ? entries : null;
}

/** Visits each entry; false if the file isn't in a format that we read. */
export function walkIndexFile(
  file: Buffer,
  idBytes: number,
  visit: (start: number, path: string, stage: number) => void,
): boolean {
  const end = file.length - idBytes;
  if (end < HEADER_BYTES || file.toString("latin1", 0, 4) !== "DIRC") return false;
  const version = file.readUInt32BE(4);
  if (version !== 2 && version !== 3) return false;
  let start = HEADER_BYTES;
  for (let left = file.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = start + STAT_BYTES + idBytes;
    if (flagsAt + 2 > end) return false;
    const flags = file.readUInt16BE(flagsAt);
    const pathAt = flagsAt + ((flags & EXTENDED) === 0 ? 2 : 4);
    const pathEnd = file.indexOf(0, pathAt);
    if (pathEnd <= pathAt || pathEnd >= end) return false;
    visit(start, file.toString("latin1", pathAt, pathEnd), (flags >> 12) & 3);
    // Padded with one to eight zeros, to a multiple of eight.
    start += ((pathEnd - start) & ~7) + 8;
  }
  return areOptional(file.subarray(start, end));
}

/** An extension after the entries may be skipped if its name starts with a capital letter. */
function areOptional(extensions: Buffer): boolean {
  let at = 0;
  while (at + 8 <= extensions.length) {
    const [first = 0] = extensions.subarray(at, at + 1);
    if (first < 0x41 || first > 0x5a) return false;
    at += 8 + extensions.readUInt32BE(at + 4);
  }
  return at === extensions.length;
}
