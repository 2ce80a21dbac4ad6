import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Script } from "node:vm";
import { crc32 } from "node:zlib";
import { writeAtomically } from "../../system/files/write-atomically.ts";

/** The code V8 compiled from a program's text, kept in the state home: half of a start is compiling. */
export interface CompiledCode {
  readonly find: (name: string, source: string) => Buffer | undefined;
  /** At its end, a script has compiled all the functions it needed. */
  readonly keepAtEnd: (name: string, source: string, script: Script) => void;
}

const SUM_BYTES = 4;
const LIMIT_BYTES = 16_000_000;
const UNUSED_MS = 30 * 86_400_000;
/** As created by `fileName`, and their drafts. */
const OUR_NAME = /\.js-[0-9a-f]{1,8}-[a-z0-9]+-[a-z0-9]+-[\w.-]+$/;

/** If anything is wrong with a file or its folder, the text is compiled as usual. */
export function compiledCodeIn(home: string, { keeps }: { readonly keeps: boolean }): CompiledCode {
  const folder = join(home, "compiled");
  const isUsed = !isInsideRepository(home);
  /** One listener for all parts: Node warns about many. */
  const atEnd: (() => void)[] = [];
  return {
    find: (name, source) => (isUsed ? attempt(() => read(folder, fileName(name, source))) : undefined),
    keepAtEnd: (name, source, script) => {
      if (!keeps || !isUsed) return;
      atEnd.push(() => attempt(() => write(folder, fileName(name, source), script)));
      if (atEnd.length === 1)
        process.once("exit", () => {
          for (const keep of atEnd) keep();
        });
    },
  };
}

/** A file in a repository may come from anyone, so its code isn't run. */
function isInsideRepository(home: string): boolean {
  for (let folder = home; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return true;
    if (dirname(folder) === folder) return false;
  }
}

/** The name contains the sum of the text, so code compiled from another text is never used. */
function fileName(name: string, source: string): string {
  const { arch, platform, versions } = process;
  return `${basename(name)}-${crc32(source).toString(16)}-${platform}-${arch}-${versions.v8}`;
}

/** V8 trusts its input and may crash on it. So folder and file have to be ours, not writable by others, and complete. */
function read(folder: string, name: string): Buffer | undefined {
  if (!isOurFolder(folder)) return undefined;
  const file = openSync(join(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = fstatSync(file);
    if (!found.isFile() || !isOurs(found) || found.size > LIMIT_BYTES) return undefined;
    const bytes = readFileSync(file);
    const code = bytes.subarray(SUM_BYTES);
    return code.length > 0 && crc32(code) === bytes.readUInt32LE(0) ? code : undefined;
  } finally {
    closeSync(file);
  }
}

function isOurFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found !== undefined && found.isDirectory() && isOurs(found);
}

function isOurs({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}

/** Doesn't create the state home: without a loop, we leave no files. */
function write(folder: string, name: string, script: Script): void {
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  if (!isOurFolder(folder)) return;
  removeUnused(folder);
  const code = script.createCachedData();
  const sum = Buffer.alloc(SUM_BYTES);
  sum.writeUInt32LE(crc32(code));
  writeAtomically(join(folder, name), Buffer.concat([sum, code]), { mode: 0o600 });
}

/** Deletes files of replaced programs, and drafts of killed writers. */
function removeUnused(folder: string): void {
  const oldest = Date.now() - UNUSED_MS;
  for (const name of readdirSync(folder).filter((each) => OUR_NAME.test(each))) {
    const path = join(folder, name);
    attempt(() => {
      if (lstatSync(path).mtimeMs < oldest) rmSync(path, { force: true });
    });
  }
}

function attempt<Value>(action: () => Value): Value | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
