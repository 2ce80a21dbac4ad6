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
import { writeAtomically } from "../../system/files/write-atomically.ts";

/** The code V8 compiled from a program's text, kept in the state home: half of a start is compiling. */
export interface CompiledCode {
  readonly find: (text: TextId) => KeptCode | undefined;
  /** At its end, a script has compiled all the functions it needed. */
  readonly keepAtEnd: (text: TextId, compiled: { readonly script: Script; readonly text: string }) => void;
}

export interface KeptCode {
  readonly code: Buffer;
  /** V8 compiles from it what the code lacks. In the program it is compressed. */
  readonly text: string;
}

/** Which text was compiled. V8 itself only compares its length. */
interface TextId {
  readonly entry: string;
  /** Of the program, and of what it had loaded before: these parts are not in the text. Hexadecimal numbers with dots between them. */
  readonly digest: string;
}

/** Of the code and of the text. */
const LENGTHS_BYTES = 8;
const LIMIT_BYTES = 32_000_000;
const UNUSED_MS = 30 * 86_400_000;
/** As created by `fileName`, and their drafts. */
const OUR_NAME = /\.js-[0-9a-f.]+-[a-z0-9]+-[a-z0-9]+-[\w.-]+$/;

/** If anything is wrong with a file or its folder, the text is compiled as usual. */
export function compiledCodeIn(home: string, { keeps }: { readonly keeps: boolean }): CompiledCode {
  const folder = join(home, "compiled");
  const isUsed = !isInsideRepository(home);
  /** One listener for all parts: Node warns about many. */
  const atEnd: (() => void)[] = [];
  return {
    find: (text) => (isUsed ? attempt(() => read(folder, fileName(text))) : undefined),
    keepAtEnd: (id, { script, text }) => {
      if (!keeps || !isUsed) return;
      atEnd.push(() => attempt(() => write(folder, fileName(id), { code: script.createCachedData(), text })));
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

/** The name says which text it is, so code compiled from another text is never used. */
function fileName({ entry, digest }: TextId): string {
  const { arch, platform, versions } = process;
  return `${basename(entry)}-${digest}-${platform}-${arch}-${versions.v8}`;
}

/** V8 trusts its input and may crash on it. So folder and file have to be ours, not writable by others, and complete. */
function read(folder: string, name: string): KeptCode | undefined {
  if (!isOurFolder(folder)) return undefined;
  const file = openSync(join(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = fstatSync(file);
    if (!found.isFile() || !isOurs(found) || found.size > LIMIT_BYTES) return undefined;
    return whole(readFileSync(file), name);
  } finally {
    closeSync(file);
  }
}

/** There are two copies, to compare: Node computes a sum only with modules that take a millisecond to load. */
function whole(bytes: Buffer, name: string): KeptCode | undefined {
  const codeEnd = LENGTHS_BYTES + bytes.readUInt32LE(0);
  const textEnd = codeEnd + bytes.readUInt32LE(4);
  const length = textEnd + name.length;
  const copy = bytes.subarray(0, length);
  const isWhole =
    codeEnd > LENGTHS_BYTES && bytes.length === 2 * length && copy.equals(bytes.subarray(length));
  // A file that was given another name has the text of another version, which would run.
  if (!isWhole || copy.toString("latin1", textEnd) !== name) return undefined;
  return { code: copy.subarray(LENGTHS_BYTES, codeEnd), text: copy.toString("latin1", codeEnd, textEnd) };
}

function twice({ code, text }: KeptCode, name: string): Buffer {
  const written = Buffer.from(text, "latin1");
  const lengths = Buffer.alloc(LENGTHS_BYTES);
  lengths.writeUInt32LE(code.length);
  lengths.writeUInt32LE(written.length, 4);
  const copy = [lengths, code, written, Buffer.from(name, "latin1")];
  return Buffer.concat([...copy, ...copy]);
}

function isOurFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found !== undefined && found.isDirectory() && isOurs(found);
}

function isOurs({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}

/** Doesn't create the state home: without a loop, we leave no files. */
function write(folder: string, name: string, kept: KeptCode): void {
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  if (!isOurFolder(folder)) return;
  removeUnused(folder);
  writeAtomically(join(folder, name), twice(kept, name), { mode: 0o600 });
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
