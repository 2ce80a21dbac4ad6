import { lstat, open } from "node:fs/promises";
import { join } from "node:path";
import type { Examination } from "../checks/run-checks.ts";
import type { Definition, DefinitionChange } from "../definitions/definition.ts";
import { isCode } from "../definitions/test-files.ts";
import type { Baseline } from "./baseline-record.ts";
import { readKept, type Listing, type Place } from "./kept-files.ts";

interface BuiltOptions {
  readonly place: Place;
  readonly baseline: Baseline;
  /** Files that the check's rules make. */
  readonly targets: readonly string[];
  /** Files that checks of this loop added. */
  readonly written: ReadonlySet<string>;
  readonly before: Listing;
  readonly now: Listing;
}

/**
 * The changed files that somebody builds: compiled ones, those that a check or its rules write, and those that git ignores and that
 * were there before. What they are built from defines a check; they don't.
 */
export async function builtAmong(
  options: BuiltOptions,
  changes: readonly DefinitionChange[],
): Promise<ReadonlySet<string>> {
  const { place, baseline, before, now } = options;
  const listed = [...new Set([...before.keys(), ...now.keys()])].filter(
    (path) => before.get(path) !== now.get(path),
  );
  const ignored = new Set(changes.filter((each) => isIgnored(options, each)).map(({ path }) => path));
  const defining = changes.filter(({ part }) => part === null).map(({ path }) => path);
  const all = [...new Set([...listed, ...defining])];
  const old = all.filter((path) => !now.has(path) && before.has(path));
  const kept = old.length === 0 ? null : await readKept(place, baseline.kept, new Set(old));
  const built = new Set<string>();
  for (const path of all) {
    const content = kept?.get(path)?.content ?? (await beginningOf(join(place.root, path)));
    if (ignored.has(path) || isMade(options, path) || (content !== null && isCompiled(content)))
      built.add(path);
  }
  return built;
}

function isIgnored({ before, now }: BuiltOptions, { path, part, kind, change }: DefinitionChange): boolean {
  const isListed = before.has(path) || now.has(path);
  return part === null && kind !== "config" && change !== "added" && !isListed;
}

function isMade({ baseline, targets, written, before }: BuiltOptions, path: string): boolean {
  if (baseline.meaning?.built.includes(path) === true) return true;
  const mayBeMade = written.has(path) || targets.includes(path);
  // Source that was there isn't made because a rule says so now.
  return mayBeMade && !(before.has(path) && isCode(path));
}

async function beginningOf(path: string): Promise<Uint8Array | null> {
  try {
    // Opening a pipe would wait for a writer.
    if (!(await lstat(path)).isFile()) return null;
    const file = await open(path, "r");
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_BEGINNING), 0, LONGEST_BEGINNING, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

/** The definitions that the check's own run at the opening wrote: nobody else was at work. */
export async function builtAtStart(
  root: string,
  name: string,
  {
    looked,
    definitions,
  }: { readonly looked: Pick<Examination, "evidence">; readonly definitions: readonly Definition[] },
): Promise<readonly string[]> {
  const evidence = looked.evidence.get(name);
  if (evidence === undefined) return [];
  const began = evidence.at - evidence.durationMs;
  const paths = new Set(definitions.filter(({ digest }) => digest !== null).map(({ path }) => path));
  const built: string[] = [];
  for (const path of paths) {
    const found = await lstat(join(root, path)).catch(() => null);
    if (found !== null && found.isFile() && found.mtimeMs >= began && found.mtimeMs <= evidence.at)
      built.push(path);
  }
  return built;
}

/** How files begin that compilers, linkers and archivers write. */
const BEGINNINGS: readonly (readonly number[])[] = [
  [0x7f, 0x45, 0x4c, 0x46], // ELF
  [0xca, 0xfe, 0xba, 0xbe], // Java class, Mach-O for several processors
  [0xfe, 0xed, 0xfa, 0xce], // Mach-O
  [0xfe, 0xed, 0xfa, 0xcf],
  [0xce, 0xfa, 0xed, 0xfe],
  [0xcf, 0xfa, 0xed, 0xfe],
  [0x4d, 0x5a, 0x90, 0x00], // Windows programs
  [0x21, 0x3c, 0x61, 0x72, 0x63, 0x68, 0x3e, 0x0a], // static libraries
  [0x00, 0x61, 0x73, 0x6d], // WebAssembly
  [0x46, 0x4f, 0x52, 0x31], // Erlang and Elixir
];

const LONGEST_BEGINNING = 8;

/** Whether a file was compiled, by how it begins. */
function isCompiled(beginning: Uint8Array): boolean {
  return BEGINNINGS.some(
    (bytes) => beginning.length >= bytes.length && bytes.every((byte, at) => beginning[at] === byte),
  );
}
