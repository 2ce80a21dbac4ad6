import { randomBytes } from "node:crypto";
import { spoiled } from "../definitions/spoiling/failing-test.ts";
import type { ComparedCheck } from "./compare.ts";
import type { Place } from "./kept-files.ts";
import { readFileNow } from "./read-now.ts";
import type { ReplacedFile } from "./replacements.ts";

/** A check's test files as they are now, each with a test that fails, and each so that it cannot be loaded. */
export interface SpoiledTests {
  readonly failing: readonly ReplacedFile[];
  /** Empty if there are too many files to be sure that one of them is run. */
  readonly broken: readonly ReplacedFile[];
}

const MOST_FILES = 50;

export async function spoiledTests(
  { root }: Place,
  { definitions }: ComparedCheck,
  runner: string,
): Promise<SpoiledTests> {
  const name = `t${randomBytes(8).toString("hex")}`;
  const failing: ReplacedFile[] = [];
  const broken: ReplacedFile[] = [];
  for (const { path, part, kind, digest } of definitions) {
    if (kind !== "test" || part !== null || digest === null) continue;
    const file = await readFileNow(root, path);
    const bad = file === null ? null : spoiled({ path, text: file.text, runner }, name);
    if (file === null || bad === null) continue;
    if (failing.length === MOST_FILES) return { failing, broken: [] };
    const { mode } = file;
    failing.push({ path, mode, content: Buffer.from(bad.failing) });
    broken.push({ path, mode, content: Buffer.from(bad.broken) });
  }
  return { failing, broken };
}
