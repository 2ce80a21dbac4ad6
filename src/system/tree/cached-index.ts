import { randomUUID } from "node:crypto";
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { readOrEmpty } from "../files/read-file.ts";
import type { ObjectHash } from "../git/git-files.ts";
import { doubtEntriesSince } from "./doubtful-entries.ts";

/** The ignore rules that an index follows. */
export interface IndexFacts {
  readonly rules: string;
  readonly projectIndex: string;
  /** Tracked by the project although ignored. */
  readonly forced: readonly string[];
  /** Files too large for git to store; it doesn't see them. */
  readonly large: readonly string[];
}

/** A private copy of the cached index, so concurrent or dead processes never interfere. */
export interface BorrowedIndex {
  readonly path: string;
  readonly scratch: string;
  /** Null if the cache was empty. */
  readonly facts: IndexFacts | null;
  keep(facts: IndexFacts): void;
  giveBack(): void;
}

type Pointer = IndexFacts & { readonly index: string };

const STRAY_MS = 60 * 60 * 1000;

export function borrowIndex(folder: string, hash: ObjectHash, from: "cache" | "nothing"): BorrowedIndex {
  // In whole seconds, as git compares them, rounded to the safe side.
  const seenSince = Math.floor(Date.now() / 1000) - 1;
  const name = `index.${process.pid}.${randomUUID()}`;
  const path = join(folder, name);
  const scratch = join(folder, `scratch.${process.pid}.${randomUUID()}`);
  mkdirSync(scratch);
  const pointer = from === "cache" ? copyCached(folder, path) : null;
  let kept = false;
  return {
    path,
    scratch,
    facts: pointer,
    keep(facts) {
      // Git writes no index for a tree without files.
      if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
      doubtEntriesSince(path, hash, seenSince);
      // Git reads a file again unless it is older than the index. With its real time, the index would look newer than files
      // that changed while it was created.
      utimesSync(path, seenSince, seenSince);
      if (pointer !== null && areEqual(facts, pointer)) {
        // Replaces the borrowed one, so the pointer stays valid and need not be rewritten.
        renameSync(path, join(folder, pointer.index));
        return;
      }
      const content: Pointer = { ...facts, index: name };
      const temporary = join(folder, `pointer.${randomUUID()}`);
      writeFileSync(temporary, JSON.stringify(content), { mode: 0o600 });
      renameSync(temporary, join(folder, "pointer"));
      kept = true;
      if (pointer !== null) rmSync(join(folder, pointer.index), { force: true });
    },
    giveBack() {
      removeFolder(scratch);
      // Even after the rename: renaming onto a link to the same file leaves both in place.
      if (!kept) rmSync(path, { force: true });
      removeStrays(folder);
    },
  };
}

function areEqual(one: IndexFacts, other: IndexFacts): boolean {
  return (
    one.rules === other.rules &&
    one.projectIndex === other.projectIndex &&
    areSame(one.forced, other.forced) &&
    areSame(one.large, other.large)
  );
}

function areSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((path, position) => path === other[position]);
}

/** Usually empty. */
function removeFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    rmSync(folder, { recursive: true, force: true });
  }
}

function copyCached(folder: string, target: string): Pointer | null {
  // Another process may replace the cached index between the two steps.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const pointer = readPointer(folder);
    if (pointer === null) return null;
    if (copyIndex(join(folder, pointer.index), target)) return pointer;
  }
  return null;
}

function readPointer(folder: string): Pointer | null {
  try {
    const pointer = JSON.parse(readOrEmpty(join(folder, "pointer"))) as Partial<Pointer>;
    const valid = /^index\.[\w.-]+$/.test(pointer.index ?? "") && Array.isArray(pointer.forced);
    return valid ? ({ large: [], ...pointer } as Pointer) : null;
  } catch {
    return null;
  }
}

/** A hard link keeps the index's time, which git compares with the files'. Git writes a new file and renames it, so the cached one stays. */
function copyIndex(source: string, target: string): boolean {
  try {
    linkSync(source, target);
    return true;
  } catch {
    try {
      copyFileSync(source, target);
      utimesSync(target, 0, Math.floor(statSync(source).mtimeMs / 1000));
      return true;
    } catch {
      return false;
    }
  }
}

function removeStrays(folder: string): void {
  const current = readPointer(folder)?.index;
  for (const name of readdirSync(folder)) {
    if (!/^(index|scratch|pointer)\./.test(name) || name === current) continue;
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && (isOfDead(name) || Date.now() - found.ctimeMs > STRAY_MS))
      rmSync(path, { recursive: true, force: true });
  }
}

/** Whether its process is gone, by the id in its name. If another process has that id now, this waits for it. */
function isOfDead(name: string): boolean {
  const id = Number(/^(?:index|scratch)\.(\d+)\./.exec(name)?.[1] ?? Number.NaN);
  if (!Number.isSafeInteger(id) || id <= 0) return false;
  try {
    process.kill(id, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
