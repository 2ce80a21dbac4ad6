import { createHash, randomUUID } from "node:crypto";
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../../system/files/path-errors.ts";
import { readLines } from "../../system/files/lines.ts";
import { withFile } from "../../system/files/read-file.ts";
import type { Line } from "./learning.ts";
import { parseLine } from "./learning.ts";
import { namesIn } from "../../system/files/folders.ts";

/** Somebody else may have made a file huge; its end is the newest. */
const READ_LIMIT_BYTES = 4 * 1024 * 1024;
const LINE_LIMIT_BYTES = 16 * 1024;
const TRIES = 8;
/** A file that was taken away to be rewritten. It counts until that is done, whoever was killed meanwhile. */
const TAKEN = ".taken";

/** One file for each project. */
export function learningsPath(home: string, project: string): string {
  return join(folderIn(home), `${createHash("sha256").update(project).digest("hex").slice(0, 32)}.jsonl`);
}

/** Lines that aren't ours or are damaged are left out. */
export function readLearningsFile(path: string): readonly Line[] {
  for (let tries = 1; ; tries += 1) {
    const names = namesOf(path);
    const read = names.map(linesIn);
    // One that is gone meanwhile goes on under another name.
    if (tries === TRIES || read.every((lines) => lines !== null)) return read.flatMap((lines) => lines ?? []);
  }
}

/** The files of all projects, those that changed last first. */
export function listLearningsFiles(home: string): readonly string[] {
  const folder = folderIn(home);
  const paths = namesIn(folder)
    .filter((name) => /^[0-9a-f]{32}\.jsonl$/.test(name))
    .map((name) => join(folder, name));
  const changed = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return paths
    .map((path) => [path, changed(path)] as const)
    .toSorted((a, b) => b[1] - a[1])
    .map(([path]) => path);
}

/** On disk when it returns, however many write at once and whoever rewrites the file meanwhile. */
export function appendLines(path: string, lines: readonly Line[]): void {
  if (lines.length === 0) return;
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  for (let tries = 0; tries < TRIES; tries += 1) if (appendOnce(path, text)) return;
  throw new Error(`${path} is rewritten all the time`);
}

/** False: the file was taken away meanwhile, perhaps without these lines. */
function appendOnce(path: string, text: string): boolean {
  const file = openSync(path, "a+", 0o600);
  try {
    const { size, ino } = fstatSync(file);
    const bytes = Buffer.from(`${endsInLine(file, size) ? "\n" : ""}${text}`);
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
    fdatasyncSync(file);
    return statSync(path, { throwIfNoEntry: false })?.ino === ino;
  } finally {
    closeSync(file);
  }
}

/** Its last writer died within a line. */
function endsInLine(file: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== "\n";
}

/**
 * Replaces the file by those of its lines that are kept. Takes it away first: then nobody else rewrites it, whoever still appends
 * to it notices and does it again, and after a kill it is still read.
 */
export function rewriteLearningsFile(path: string, keep: (lines: readonly Line[]) => readonly Line[]): void {
  try {
    renameSync(path, `${path}.${randomUUID()}${TAKEN}`);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
  const taken = namesOf(path).filter((name) => name.endsWith(TAKEN));
  appendLines(path, keep(taken.flatMap((name) => linesIn(name) ?? [])));
  for (const name of taken) rmSync(name, { force: true });
}

export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function namesOf(path: string): readonly string[] {
  const folder = join(path, "..");
  const names = namesIn(folder).map((name) => join(folder, name));
  return names.filter((name) => name === path || (name.startsWith(`${path}.`) && name.endsWith(TAKEN)));
}

/** null: it is no longer there. */
function linesIn(path: string): readonly Line[] | null {
  const lines: Line[] = [];
  return withFile(path, (file, { size }) => {
    readLines(
      file,
      { from: Math.max(0, size - READ_LIMIT_BYTES), until: size, limitBytes: LINE_LIMIT_BYTES },
      (text) => {
        const line = parseLine(text);
        if (line !== null) lines.push(line);
      },
    );
    return lines;
  });
}

function folderIn(home: string): string {
  return join(home, "learnings");
}
