import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, join } from "node:path";
import type { Script } from "node:vm";
import { crc32 } from "node:zlib";
import { writeAtomically } from "../files/write-atomically.ts";

/** What V8 made of a program's text, kept in the state home: half of a start is compiling. */
export interface CompiledCode {
  readonly find: (name: string, source: string) => Buffer | undefined;
  /** At the end a script has compiled all the functions that it needed. */
  readonly keepAtEnd: (name: string, source: string, script: Script) => void;
}

const SUM_BYTES = 4;
const LIMIT_BYTES = 16_000_000;
const UNUSED_MS = 30 * 86_400_000;

/** Whatever is wrong with a file or its folder, the text is compiled as if nothing had been kept. */
export function compiledCodeIn(home: string, { keeps }: { readonly keeps: boolean }): CompiledCode {
  const folder = join(home, "compiled");
  return {
    find: (name, source) => attempt(() => read(join(folder, fileName(name, source)))),
    keepAtEnd: (name, source, script) => {
      if (keeps) process.once("exit", () => attempt(() => write(folder, fileName(name, source), script)));
    },
  };
}

/** The text itself is in the name, so that what was made of another one is never found. */
function fileName(name: string, source: string): string {
  const { arch, platform, versions } = process;
  return `${basename(name)}-${crc32(source).toString(16)}-${platform}-${arch}-${versions.v8}`;
}

/** V8 believes what it is handed, and may crash on it. So this has to be ours, unwritable for others, and whole. */
function read(path: string): Buffer | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { uid, mode, size } = fstatSync(file);
    const isOurs = uid === process.getuid?.() && (mode & 0o022) === 0;
    if (!isOurs || size > LIMIT_BYTES) return undefined;
    const bytes = readFileSync(file);
    const code = bytes.subarray(SUM_BYTES);
    return code.length > 0 && crc32(code) === bytes.readUInt32LE(0) ? code : undefined;
  } finally {
    closeSync(file);
  }
}

/** The state home itself is not created: somebody without a loop should find no files of ours. */
function write(folder: string, name: string, script: Script): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    removeUnused(folder);
  }
  const code = script.createCachedData();
  const sum = Buffer.alloc(SUM_BYTES);
  sum.writeUInt32LE(crc32(code));
  writeAtomically(join(folder, name), Buffer.concat([sum, code]), { mode: 0o600 });
}

/** Of programs that were replaced since, and drafts of writers that were killed. */
function removeUnused(folder: string): void {
  const oldest = Date.now() - UNUSED_MS;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).mtimeMs < oldest) rmSync(path, { force: true });
  }
}

function attempt<Value>(action: () => Value): Value | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
