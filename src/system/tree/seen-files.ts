import { randomUUID } from "node:crypto";
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type BigIntStats,
} from "node:fs";
import { dirname } from "node:path";

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
