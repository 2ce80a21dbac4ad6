import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LoopId } from "../../../core/loop/id.ts";
import { fileJournals } from "./file-journals.ts";

test("a journal that was changed, and given its old size and time, has another mark", async () => {
  const loops = mkdtempSync(join(tmpdir(), "loopwright-test-"));
  const id = "fix-it-1234" as LoopId;
  const path = join(loops, id, "journal.jsonl");
  mkdirSync(join(loops, id));
  writeFileSync(path, "one\n");
  utimesSync(path, 1_000, 1_000);
  const before = (await fileJournals(loops).survey()).get(id);
  writeFileSync(path, "two\n");
  utimesSync(path, 1_000, 1_000);
  const now = (await fileJournals(loops).survey()).get(id);
  expect(now?.changedAt).toBe(before?.changedAt);
  expect(now?.mark).not.toBe(before?.mark);
});
