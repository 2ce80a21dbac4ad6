import { randomUUID } from "node:crypto";
import {
  copyFile,
  link,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";

/** Under which ignore rules an index was brought into order. */
export interface IndexFacts {
  readonly rules: string;
  readonly projectIndex: string;
  /** Tracked by the project although ignored. */
  readonly forced: readonly string[];
}

/** A private copy of the cached index; processes side by side, or dead ones, are never in each other's way. */
export interface BorrowedIndex {
  readonly path: string;
  readonly scratch: string;
  /** Null when there was nothing in the cache. */
  readonly facts: IndexFacts | null;
  keep(facts: IndexFacts): Promise<void>;
  giveBack(): Promise<void>;
}

type Pointer = IndexFacts & { readonly index: string };

const STRAY_MS = 60 * 60 * 1000;

export async function borrowIndex(folder: string, from: "cache" | "nothing"): Promise<BorrowedIndex> {
  // In whole seconds, as git compares them, and on the safe side.
  const seenSince = Math.floor(Date.now() / 1000) - 1;
  const name = `index.${process.pid}.${randomUUID()}`;
  const path = join(folder, name);
  const scratch = join(folder, `scratch.${process.pid}.${randomUUID()}`);
  await mkdir(scratch);
  const pointer = from === "cache" ? await copyCached(folder, path) : null;
  let kept = false;
  return {
    path,
    scratch,
    facts: pointer,
    async keep(facts) {
      // Git writes no index for a tree without files.
      if ((await stat(path).catch(() => null)) === null) return;
      // Git reads a file again when it is not older than the index. Left at its time of writing, the index would look
      // newer than files that changed while it was being made.
      await utimes(path, seenSince, seenSince);
      const content: Pointer = { ...facts, index: name };
      const temporary = join(folder, `pointer.${randomUUID()}`);
      await writeFile(temporary, JSON.stringify(content), { mode: 0o600 });
      await rename(temporary, join(folder, "pointer"));
      kept = true;
      if (pointer !== null) await rm(join(folder, pointer.index), { force: true });
    },
    async giveBack() {
      await rm(scratch, { recursive: true, force: true });
      if (!kept) await rm(path, { force: true });
      await removeStrays(folder);
    },
  };
}

async function copyCached(folder: string, target: string): Promise<Pointer | null> {
  // Another process may replace the cached index between the two steps.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const pointer = await readPointer(folder);
    if (pointer === null) return null;
    if (await copyIndex(join(folder, pointer.index), target)) return pointer;
  }
  return null;
}

async function readPointer(folder: string): Promise<Pointer | null> {
  try {
    const pointer = JSON.parse(await readFile(join(folder, "pointer"), "utf8")) as Partial<Pointer>;
    const valid = /^index\.[\w.-]+$/.test(pointer.index ?? "") && Array.isArray(pointer.forced);
    return valid ? (pointer as Pointer) : null;
  } catch {
    return null;
  }
}

/** A link keeps the index's time, which git compares with the files'. Git writes beside it and renames: the cached one stays. */
async function copyIndex(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target);
    return true;
  } catch {
    return copyFile(source, target)
      .then(async () => utimes(target, 0, Math.floor((await stat(source)).mtimeMs / 1000)))
      .then(
        () => true,
        () => false,
      );
  }
}

async function removeStrays(folder: string): Promise<void> {
  const current = (await readPointer(folder))?.index;
  for (const name of await readdir(folder)) {
    if (!/^(index|scratch|pointer)\./.test(name) || name === current) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.ctimeMs > STRAY_MS)
      await rm(path, { recursive: true, force: true });
  }
}
