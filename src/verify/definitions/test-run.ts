import { parsePathGlob, type PathGlob } from "../../system/tree/path-glob.ts";
import { isBelow } from "./project-path.ts";
import type { TestRun } from "./survey.ts";
import { isInTestFolder, isNamedAsTest, isTestData, mayCount } from "./test-files.ts";

/** The test files of a run. Helpers, fixtures and snapshots always count, whatever tests the command names. */
export async function testFilesOf(run: TestRun, paths: readonly string[]): Promise<readonly string[]> {
  const globs = await globsOf(run.globs);
  return paths.filter((path) => {
    if (!mayCount(path)) return false;
    if (globs.some((glob) => glob.matches(path))) return true;
    if (isNamedAsTest(path, run.family)) return isInScope(path, run);
    if (isBelow(path, run.folder) && isTestData(path, run.folder, run.family)) return true;
    return isInTestFolder(path, run.family) && (isBelow(path, run.folder) || isInScope(path, run));
  });
}

export function isInScope(path: string, { scope, folder }: TestRun): boolean {
  return scope.length === 0 ? isBelow(path, folder) : scope.some((each) => isBelow(path, each));
}

const MOST_GLOBS = 100;

async function globsOf(texts: readonly string[]): Promise<readonly PathGlob[]> {
  const globs: PathGlob[] = [];
  for (const text of new Set(texts.slice(0, MOST_GLOBS))) {
    const glob = await parsePathGlob(text).catch(() => null);
    if (glob !== null) globs.push(glob);
  }
  return globs;
}
