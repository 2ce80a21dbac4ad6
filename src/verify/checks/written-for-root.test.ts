import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writtenForRoot } from "./cannot-run.ts";

function project(): string {
  const root = mkdtempSync(join(tmpdir(), "loopwright-root-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ["test", "src/test"]) mkdirSync(join(root, folder), { recursive: true });
  for (const path of ["test/a.test.js", "test/both.test.js", "src/test/both.test.js"])
    writeFileSync(join(root, path), "");
  return root;
}

const LINE = "node --test ./test/a.test.js";

function why(folder: string, line: string, outputTail: string, passed = false): string | null {
  const root = project();
  const command = { kind: "shell", line } as const;
  return writtenForRoot({ root, cwd: join(root, folder) }, { command }, { passed, outputTail });
}

test("a check that names a file of the root fails in a folder that hasn't got it", () => {
  expect(why("src", LINE, "Could not find '/work/src/test/a.test.js'")).toBe(
    "src has no test/a.test.js, but the project's root has it: start there",
  );
});

test.each<[string, Parameters<typeof why>]>([
  ["it passes", ["src", LINE, "test/a.test.js", true]],
  ["it runs in the root", ["", LINE, "test/a.test.js"]],
  ["the output is about something else", ["src", LINE, "not ok 1"]],
  ["the folder has the file, too", ["src", "node --test test/both.test.js", "test/both.test.js"]],
  ["nobody has the file yet", ["src", "node --test test/new.test.js", "test/new.test.js"]],
  ["the path leads out of the folder", ["src", "node ../test/a.test.js", "../test/a.test.js"]],
])("no such reason: %s", (_, given) => {
  expect(why(...given)).toBeNull();
});
