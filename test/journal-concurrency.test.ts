import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { topFrame } from "../src/core/loop/loop.ts";
import { loadJournal } from "../src/storage/journal/file/load.ts";
import { readJournal } from "../src/storage/journal/file/read.ts";
import { AT_THE_BEGINNING } from "../src/storage/journal/journal.ts";
import type { Fixture } from "./programs/journal-fixture.ts";
import { iterate, linesOf, openFixture } from "./programs/journal-fixture.ts";
import { effort } from "./support/effort.ts";

const WRITER = resolve("dist/test-programs/journal-writer.mjs");
const WRITERS = effort(8, 32);
const EACH = effort(20, 50);

let fixture: Fixture;
beforeEach(() => {
  fixture = openFixture();
});
afterEach(() => fixture.remove());

async function write(times: number): Promise<{ code: number | null; acknowledged: string[]; said: string }> {
  const child = spawn(process.execPath, [WRITER, fixture.project.root, fixture.id, String(times)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((done) => child.on("close", done));
  const [out, said, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, acknowledged: out.split("\n").slice(0, -1), said };
}

describe("many writers of one loop", () => {
  it(
    `loses no iteration of ${WRITERS} processes that append ${EACH} each`,
    { timeout: 300_000 },
    async () => {
      const results = await Promise.all(Array.from({ length: WRITERS }, async () => write(EACH)));

      expect(results.map(({ code, said }) => ({ code, said }))).toEqual(
        Array.from({ length: WRITERS }, () => ({ code: 0, said: "" })),
      );
      expect(results.map(({ acknowledged }) => acknowledged.length)).toEqual(
        Array.from({ length: WRITERS }, () => EACH),
      );
      // Each acknowledgement is of an iteration that nobody else was given.
      const all = results.flatMap(({ acknowledged }) => acknowledged);
      expect(new Set(all).size).toBe(WRITERS * EACH);

      const { loop, cursor } = loadJournal(fixture.journal, { fromScratch: true });
      expect(topFrame(loop).iteration).toBe(WRITERS * EACH);
      expect(cursor.seq).toBe(1 + WRITERS * EACH);
      let counted = 0;
      readJournal(fixture.journal, AT_THE_BEGINNING, () => (counted += 1));
      expect(counted).toBe(1 + WRITERS * EACH);
      expect(linesOf(fixture.journal).length).toBeGreaterThanOrEqual(counted);
      expect(loadJournal(fixture.journal)).toEqual({ loop, cursor });
      expect(topFrame((await iterate(fixture, 1)).loop).iteration).toBe(WRITERS * EACH + 1);
    },
  );
});
