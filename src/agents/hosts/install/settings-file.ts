import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  rmdirSync,
  statSync,
} from "node:fs";
import { isUtf8 } from "node:buffer";
import { dirname, sep } from "node:path";
import { errnoOf } from "../../../system/files/path-errors.ts";
import { writeAtomically } from "../../../system/files/write-atomically.ts";
import type { SettingsChange } from "./installer.ts";

/** null: there is no such file. Throws if it, or its bytes, would not come back as they were. */
export function readIfThere(path: string): string | null {
  let bytes: Buffer;
  // A clone may have a pipe there, which nobody writes into.
  if (statSync(path, { throwIfNoEntry: false })?.isFIFO() === true)
    return inFile(path, () => {
      throw new SettingsError("it is a pipe");
    });
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const code = errnoOf(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
    if (code === "ENOTDIR" || lstatSync(path, { throwIfNoEntry: false }) === undefined) return null;
    return inFile(path, () => {
      throw new SettingsError("it is a link to nothing", { remedy: "make the file or remove the link" });
    });
  }
  return inFile(path, () => {
    if (!isUtf8(bytes)) throw new SettingsError("it is not UTF-8 text");
    return bytes.toString("utf8");
  });
}

/** Writes through links: settings are often kept elsewhere and linked. */
function writeSettings(path: string, text: string): void {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true });
    return writeAtomically(path, text, { durable: true, mode: 0o666 });
  }
  const target = realpathSync(path);
  const mode = statSync(target).mode & 0o777;
  writeAtomically(target, text, { durable: true, mode });
  return chmodSync(target, mode);
}

/** With the folders below the client's own that this leaves empty. */
function removeFile(path: string, folder: string): void {
  rmSync(path);
  for (let each = dirname(path); each.startsWith(`${folder}${sep}`); each = dirname(each)) {
    if (readdirSync(each).length > 0) return;
    rmdirSync(each);
  }
}

/** Settings that we cannot read as the host would. The message says why. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  /** What its user has to do with the file. */
  readonly remedy: string;

  constructor(
    message: string,
    { remedy = "fix it", ...options }: ErrorOptions & { readonly remedy?: string } = {},
  ) {
    super(message, options);
    this.remedy = remedy;
  }
}

/** The same for an edit of this file, as a whole sentence. */
export function inFile<Result>(path: string, edit: () => Result): Result {
  try {
    return edit();
  } catch (error) {
    const known = isTooDeep(error) ? new SettingsError("it is nested too deeply") : error;
    if (!(known instanceof SettingsError)) throw error;
    throw new SettingsError(`${path} cannot be edited: ${known.message}; ${known.remedy}, then try again.`, {
      cause: error,
    });
  }
}

/** What edits text calls itself for each level. */
function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes("call stack");
}

/** Anything other than a problem with settings or files is a bug and is rethrown. */
export function sentenceFor(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  const code = errnoOf(error);
  if (code === undefined) throw error;
  const path = error instanceof Error && "path" in error ? String(error.path) : "The settings file";
  return `${path} cannot be read or written (${code}); fix this, then try again.`;
}

/** Writes what was shown. If it was not written: one sentence that says why. */
export function applyChange({ path, before, after, folder }: SettingsChange): string | null {
  try {
    if (readIfThere(path) !== before) return `${path} changed meanwhile, so nothing was written; try again.`;
    if (after === null) removeFile(path, folder ?? dirname(path));
    else writeSettings(path, after);
    return null;
  } catch (error) {
    return sentenceFor(error);
  }
}
