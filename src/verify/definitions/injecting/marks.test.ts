import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { countOf, readMarks } from "./marks.ts";

const path = join(makeTemporaryFolder(), "marks");

test("what comes after an assertion in a long loop is counted, too", async () => {
  writeFileSync(path, `loaded-0-0\n${"reached-0-1\n".repeat(50_000)}ran-1-1\n`);

  const marks = await readMarks(path);

  expect(countOf(marks, "reached", 0)).toBe(50_000);
  expect(countOf(marks, "ran", 1)).toBe(1);
});

test("where nothing left a mark, there are none", async () => {
  expect((await readMarks(join(makeTemporaryFolder(), "none"))).size).toBe(0);
});
