import { randomUUID, createHash, type Hash } from "node:crypto";
import {
  closeSync,
  constants,
  openSync,
  readSync,
  readlinkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import type { BigIntStats } from "node:fs";
import { dirname, join } from "node:path";
import { lstat, open, readlink } from "node:fs/promises";
import { withFile } from "../files/read-file.ts";

/** Larger files count by size and time. Checkpoints don't keep them either. */
const LARGEST_READ_BYTES = 100 * 1024 * 1024;

const CHUNK_BYTES = 1024 * 1024;
const AS_IT_LIES = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | constants.O_NONBLOCK;

type FileMode = "100644" | "100755" | "120000";

/** As git names them. */
export function modeOf(found: BigIntStats): FileMode {
  if (found.isSymbolicLink()) return "120000";
  return (found.mode & 0o100n) === 0n ? "100644" : "100755";
}

/** Instead of a digest, if a file is too large to read; null if it isn't. */
export function largeMark(found: BigIntStats): string | null {
  if (!found.isFile() || found.size <= BigInt(LARGEST_READ_BYTES)) return null;
  return `large:${found.size}:${found.mtimeNs}`;
}

/** Whether a version has size and time instead of content. */
export function isByLooks(version: string): boolean {
  return version.includes(" large:");
}

/** Hashes a file's content; a link's content is its target. */
export function hashFile(hash: Hash, path: string | Buffer, found: BigIntStats): string {
  if (found.isSymbolicLink()) return hash.update(readlinkSync(path, { encoding: "buffer" })).digest("hex");
  const file = openSync(path, AS_IT_LIES);
  try {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Number(found.size) + 1));
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk))
      hash.update(chunk.subarray(0, read));
    return hash.digest("hex");
  } finally {
    closeSync(file);
  }
}

/** Caches what was read from files by their file system stamp: a file with the same stamp is not read again. */
export interface SeenFiles {
  /** What `read` returned when the file last had this stamp. */
  recall(path: string, found: BigIntStats, read: () => string): string;
  /** Stores this reading and drops files it did not find. */
  keep(): void;
}

/** Changes within this time can leave the stamp unchanged, on file systems with a coarse clock. */
const TOO_NEW_MS = 2_000;

const SEPARATOR = "\0";

/** The last list this process read or wrote: most readings are followed by another one of the same files. */
let last: {
  readonly file: string;
  readonly identity: string;
  readonly lines: ReadonlyMap<string, string>;
} | null = null;

/** `file`: where this machine keeps the list. Results are text without spaces. */
export function openSeenFiles(file: string): SeenFiles {
  const known = readLines(file);
  const settledBefore = BigInt(Date.now() - TOO_NEW_MS) * 1_000_000n;
  const lines = new Map<string, string>();
  let reads = 0;
  return {
    recall(path, found, read) {
      const stamp = stampOf(found);
      const line = known.get(path);
      if (line?.startsWith(stamp) === true) {
        lines.set(path, line);
        return line.slice(stamp.length);
      }
      reads += 1;
      const text = read();
      if (found.mtimeNs < settledBefore && found.ctimeNs < settledBefore) lines.set(path, `${stamp}${text}`);
      return text;
    },
    keep() {
      if (reads === 0 && lines.size === known.size) return;
      writeLines(file, lines);
    },
  };
}

function stampOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return `${[size, mtimeNs, ctimeNs, ino].map((part) => part.toString(36)).join(" ")} `;
}

function readLines(file: string): ReadonlyMap<string, string> {
  const identity = identityOf(file);
  if (last?.file === file && last.identity === identity) return last.lines;
  const lines = new Map<string, string>();
  try {
    const parts = readFileSync(file, "utf8").split(SEPARATOR);
    for (let at = 0; at + 1 < parts.length; at += 2) lines.set(parts[at] ?? "", parts[at + 1] ?? "");
  } catch {
    // none yet
  }
  last = { file, identity, lines };
  return lines;
}

function writeLines(file: string, lines: ReadonlyMap<string, string>): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, [...lines].flat().join(SEPARATOR), { mode: 0o600 });
    renameSync(draft, file);
    last = { file, identity: identityOf(file), lines };
  } catch {
    // Without it, the files are just read again.
    rmSync(draft, { force: true });
  }
}

function identityOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "none" : stampOf(found);
}

const SIZE_LIMIT = 5 * 1024 * 1024;

/** The content after an edit; null if the file is gone or too large to read after each edit. */
export function digestOfEdited(path: string): string | null {
  // The path comes from an agent, so it may be anything.
  return withFile(path, (file, { size }) =>
    size > SIZE_LIMIT ? null : createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 32),
  );
}

/** sha256 over mode and content of a file; a symbolic link's content is its text. The modes are git's. */
export async function fileDigest(root: string, path: string): Promise<string> {
  const full = join(root, path);
  if ((await lstat(full)).isSymbolicLink()) {
    const target = await readlink(full, { encoding: "buffer" });
    return createHash("sha256").update("120000\0").update(target).digest("hex");
  }
  const file = await open(full, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const executable = ((await file.stat()).mode & 0o100) !== 0;
    const hash = createHash("sha256").update(executable ? "100755\0" : "100644\0");
    for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk as Buffer);
    return hash.digest("hex");
  } finally {
    await file.close();
  }
}

/** Whether a path may stand for another one, whose name isn't UTF-8: Node puts this character where it can't read a byte. */
export function isMangled(path: string): boolean {
  return path.includes("\uFFFD");
}
