import type { DefiningFiles } from "./defining-files.ts";
import type { Definition } from "./definition.ts";
import { isNamedAsTest } from "./test-files.ts";

const USES_A_RUNNER = /["'](?:node:test|vitest|@jest\/globals|mocha|ava|tap|tape|uvu|bun:test)["']/;
const MOST_READ = 200;

/** Test files that only assert, for a runner that runs each file as a program and doesn't need more. */
export async function plainTests(
  files: DefiningFiles,
  definitions: readonly Definition[],
): Promise<readonly string[]> {
  const tests = definitions.filter(
    ({ kind, path, part, digest }) =>
      kind === "test" && part === null && digest !== null && isNamedAsTest(path, "javascript"),
  );
  const plain: string[] = [];
  for (const { path } of tests.slice(0, MOST_READ)) {
    const text = await files.read(path);
    if (text !== null && !USES_A_RUNNER.test(text)) plain.push(path);
  }
  return plain;
}
