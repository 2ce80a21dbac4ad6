import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { spoiled } from "../meaning/failing-test.ts";
import type { ComparedCheck } from "./compare.ts";
import type { Place } from "./kept-files.ts";
import type { ReplacedFile } from "./replacements.ts";

/** A check's test files as they are now, each with a test that fails, and each so that it cannot be loaded. */
export interface SpoiledTests {
  readonly failing: readonly ReplacedFile[];
  /** Empty if there are too many files to be sure that one of them is run. */
  readonly broken: readonly ReplacedFile[];
}

const MOST_FILES = 50;
const LARGEST_BYTES = 256 * 1024;

export async function spoiledTests(
  { root }: Place,
  { definitions }: ComparedCheck,
  runner: string,
): Promise<SpoiledTests> {
  const failing: ReplacedFile[] = [];
  const broken: ReplacedFile[] = [];
  for (const { path, part, kind, digest } of definitions) {
    if (kind !== "test" || part !== null || digest === null) continue;
    const file = join(root, path);
    const look = await lstat(file).catch(() => null);
    if (look === null || !look.isFile() || look.size > LARGEST_BYTES) continue;
    const text = await readFile(file, "utf8").catch(() => null);
    const bad = text === null ? null : spoiled(path, text, runner);
    if (bad === null) continue;
    if (failing.length === MOST_FILES) return { failing, broken: [] };
    const mode = (look.mode & 0o100) === 0 ? "100644" : "100755";
    failing.push({ path, mode, content: Buffer.from(bad.failing) });
    broken.push({ path, mode, content: Buffer.from(bad.broken) });
  }
  return { failing, broken };
}
