import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { isObjectId } from "./git-files.ts";

/** What git itself wrote a moment ago lies in a file of its own, which is read sooner than a process is started. */
export interface LooseObject {
  readonly type: string;
  readonly content: Buffer;
}

/** Commits and small folders; larger ones are git's affair. */
const LARGEST_FILE_BYTES = 64 * 1024;
const LARGEST_CONTENT_BYTES = 1024 * 1024;

/** An object that isn't packed, from the folder of a repository's objects. Null: git has to be asked. What isn't what its name says counts as unknown. */
export function readLooseObject(objects: string, id: string): LooseObject | null {
  const packed = isObjectId(id) ? fileOf(objects, id) : null;
  if (packed === null) return null;
  try {
    const whole = inflateSync(packed, { maxOutputLength: LARGEST_CONTENT_BYTES });
    const hash = createHash(id.length === 40 ? "sha1" : "sha256");
    if (hash.update(whole).digest("hex") !== id) return null;
    const end = whole.indexOf(0);
    const [type = "", size] = whole.toString("latin1", 0, end).split(" ");
    const content = whole.subarray(end + 1);
    return Number(size) === content.length ? { type, content } : null;
  } catch {
    return null;
  }
}

/** The content of a commit, as git stores it; null: git has to be asked. */
export function readLooseCommit(objects: string, id: string): Buffer | null {
  const found = readLooseObject(objects, id);
  return found?.type === "commit" ? found.content : null;
}

function fileOf(objects: string, id: string): Buffer | null {
  let file: number;
  try {
    const path = join(objects, id.slice(0, 2), id.slice(2));
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const found = fstatSync(file);
    return found.isFile() && found.size <= LARGEST_FILE_BYTES ? readFileSync(file) : null;
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}
