import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReplacedFile } from "../baseline/replacements.ts";
import { canHaveFaults } from "../faults/faults.ts";
import { withFaults, type ChangedSource, type ChosenFault } from "../faults/choose-faults.ts";

/** A changed file as it is on disk. */
export interface SourceOnDisk extends ChangedSource {
  readonly mode: ReplacedFile["mode"];
}

/** Larger files are hardly written by hand. */
const LARGEST = 400_000;

/** Reads a changed file that faults can be put into; null: they can't. */
export async function readSource(
  root: string,
  path: string,
  linesOf: (text: string) => ReadonlySet<number>,
): Promise<SourceOnDisk | null> {
  const place = join(root, path);
  const stat = await lstat(place).catch(() => null);
  if (stat === null || !stat.isFile() || stat.size > LARGEST) return null;
  const text = await readFile(place, "utf8").catch(() => null);
  if (text === null || text.includes("\0") || !canHaveFaults(path, text)) return null;
  return { path, text, lines: linesOf(text), mode: (stat.mode & 0o100) === 0 ? "100644" : "100755" };
}

/** The files with faults in them. */
export function faultyFiles(
  sources: readonly SourceOnDisk[],
  faults: readonly ChosenFault[],
): readonly ReplacedFile[] {
  const paths = new Set(faults.map(({ path }) => path));
  return sources
    .filter(({ path }) => paths.has(path))
    .map((source) => ({
      path: source.path,
      content: Buffer.from(withFaults(source, faults)),
      mode: source.mode,
    }));
}
