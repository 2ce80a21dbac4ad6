import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, truncateSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { topFrame } from "../src/core/loop/loop.ts";
import { appendRecord } from "../src/storage/journal/file/append.ts";
import { loadJournal } from "../src/storage/journal/file/load.ts";
import { readJournal } from "../src/storage/journal/file/read.ts";
import type { Cursor } from "../src/storage/journal/journal.ts";
import { AT_THE_BEGINNING } from "../src/storage/journal/journal.ts";
import type { Fixture } from "./programs/journal-fixture.ts";
import {
  START,
  append,
  held,
  iterate,
  openFixture,
  opening,
  writeChain,
  loadLoop,
} from "./programs/journal-fixture.ts";
import { effort } from "./support/effort.ts";

const WRITER = resolve("dist/test-programs/journal-writer.mjs");
const KILLS = effort(5, 200, 12);

let fixture: Fixture;
beforeEach(() => {
  fixture = openFixture();
});
afterEach(() => fixture.remove());

/** Runs a writer and kills it a while after its first acknowledgement. Returns what it acknowledged: "sequence iteration". */
async function killedWriter(afterMs: number, padding: number): Promise<string[]> {
  const child = spawn(
    process.execPath,
    [WRITER, fixture.project.root, fixture.id, "1000000", String(padding)],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  const ended = new Promise((done) => child.on("close", done));
  let printed = "";
  const acknowledged = new Promise<void>((done) => {
    child.stdout.setEncoding("utf8").on("data", (data: string) => {
      printed += data;
      done();
    });
  });
  const said = text(child.stderr);
  await Promise.race([acknowledged, ended]);
  await sleep(afterMs);
  child.kill("SIGKILL");
  await ended;
  expect(await said).toBe("");
  return printed.split("\n").slice(0, -1);
}

/** The records from a cursor on, in the words of the writer. */
function recordsFrom(cursor: Cursor): { readonly written: string[]; readonly cursor: Cursor } {
  const written: string[] = [];
  const end = readJournal(fixture.journal, cursor, (record, { seq }) => {
    for (const event of record.events) {
      if (event.type === "iteration.held") written.push(`${seq} ${event.iteration}`);
    }
  });
  return { written, cursor: end };
}

describe("a writer that dies", () => {
  it(`keeps every acknowledged record of ${KILLS} killed writers`, { timeout: 300_000 }, async () => {
    let cursor = AT_THE_BEGINNING;
    for (let round = 0; round < KILLS; round += 1) {
      // Records of several pages are the ones that a kill can tear.
      const acknowledged = await killedWriter(Math.random() * 60, round % 2 === 0 ? 0 : 20_000);
      expect(acknowledged.length).toBeGreaterThan(0);
      const records = recordsFrom(cursor);
      expect(records.written).toEqual(expect.arrayContaining(acknowledged));
      // The one that was written when the kill came may be there; no more than that.
      expect(records.written.length - acknowledged.length).toBeLessThanOrEqual(1);
      cursor = records.cursor;
      expect((await loadLoop(fixture.project, fixture.id)).cursor).toEqual(cursor);
    }
    const { loop } = loadJournal(fixture.journal, { fromScratch: true });
    expect(topFrame(loop).iteration).toBe(cursor.seq - 1);
    expect(topFrame((await iterate(fixture, 1)).loop).iteration).toBe(cursor.seq);
  });

  it("goes on behind a record that is torn at any byte", () => {
    const whole = writeChain(fixture.journal, [[opening()], [held(1)], [held(2, "né 🙂")]]);
    const last = whole[2]?.start ?? 0;
    const bytes = readFileSync(fixture.journal);
    const copy = join(fixture.project.root, "copy", "journal.jsonl");
    for (let length = last; length < bytes.length; length += 1) {
      copyTorn(copy, length);
      const torn = loadJournal(copy);
      expect(topFrame(torn.loop).iteration).toBe(1);

      const second = appendRecord(copy, torn.cursor, START, [held(2, "anew")]);
      if (second.type !== "won") throw new Error("nobody else writes here");
      // From the cursor that the append gave, and from the one that a reader finds.
      expect(loadJournal(copy).cursor).toEqual(second.cursor);
      expect(appendRecord(copy, second.cursor, START, [held(3)]).type).toBe("won");
      const after = loadJournal(copy);
      expect(after.cursor.seq).toBe(4);
      expect(topFrame(after.loop)).toMatchObject({ iteration: 3 });
      expect(readFileSync(copy).subarray(0, length)).toEqual(bytes.subarray(0, length));
    }
  });

  it("goes on behind two records that are torn one after the other", () => {
    writeChain(fixture.journal, [[opening()], [held(1, "né 🙂")]]);
    const copy = join(fixture.project.root, "copy", "journal.jsonl");
    const { length } = readFileSync(fixture.journal);
    copyTorn(copy, length - 30);
    const torn = loadJournal(copy);
    expect(appendRecord(copy, torn.cursor, START, [held(1, "né 🙂")]).type).toBe("won");
    const whole = readFileSync(copy).length;
    for (let cut = 1; cut < 200; cut += 1) {
      copyTorn(copy, length - 30);
      const first = loadJournal(copy);
      appendRecord(copy, first.cursor, START, [held(1, "né 🙂")]);
      truncateSync(copy, whole - cut);
      const second = loadJournal(copy);
      expect(second.cursor.seq).toBe(1);
      expect(appendRecord(copy, second.cursor, START, [held(1)]).type).toBe("won");
      expect(topFrame(loadJournal(copy).loop).iteration).toBe(1);
    }
  });

  it("goes on where the file ends with zeros that a power cut left", async () => {
    const standing = await iterate(fixture, 2);
    truncateSync(fixture.journal, readFileSync(fixture.journal).length + 4096);
    expect((await loadLoop(fixture.project, fixture.id)).cursor).toEqual(standing.cursor);
    await iterate(fixture, 2);
    expect(topFrame((await loadLoop(fixture.project, fixture.id)).loop).iteration).toBe(4);
  });
});

/** Node ignores SIGXFSZ, so that a limit on the size of files looks like a full disk: a short write, then an error. */
async function writerWithin(kilobytes: number, padding: number): Promise<{ out: string; said: string }> {
  const command = `ulimit -f ${kilobytes}; exec "$0" "$@"`;
  const child = spawn(
    "bash",
    ["-c", command, process.execPath, WRITER, fixture.project.root, fixture.id, "1000", String(padding)],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  const [out, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, said };
}

describe.skipIf(process.platform === "win32")("a disk that is full", () => {
  it("says so, loses nothing, and goes on when there is room again", async () => {
    const size = (): number => readFileSync(fixture.journal).length;
    const acknowledged: string[] = [];
    // The first write beyond the limit is short, the next one fails at once.
    for (const [kilobytes, padding, sentence] of [
      [4, 0, "could not write the whole record; the disk may be full"],
      [4, 0, "the journal cannot be written (EFBIG)"],
      [5, 3_000, "could not write the whole record; the disk may be full"],
      [6, 3_000, "could not write the whole record; the disk may be full"],
      [8, 0, "could not write the whole record; the disk may be full"],
    ] as const) {
      const { out, said } = await writerWithin(kilobytes, padding);
      expect(said).toContain(`JournalError: ${sentence}\n`);
      expect(said).toContain("code: 'unwritable'");
      expect(size()).toBe(kilobytes * 1024);
      acknowledged.push(...out.split("\n").slice(0, -1));
      expect((await loadLoop(fixture.project, fixture.id)).cursor.seq).toBe(1 + acknowledged.length);
    }
    expect(acknowledged.length).toBeGreaterThan(4);
    await iterate(fixture, 2);
    expect(recordsFrom(AT_THE_BEGINNING).written).toEqual([
      ...acknowledged,
      ...[1, 2].map((more) => `${1 + acknowledged.length + more} ${acknowledged.length + more}`),
    ]);
  });

  it("keeps the old projection whole when the new one does not fit", async () => {
    fixture.remove();
    const names = Array.from({ length: 6 }, (_, index) => `${index}${"c".repeat(1_000)}`);
    fixture = openFixture(opening({ criteria: names.map((name) => ({ name, check: null })) }));
    const state = join(fixture.project.folder, "state.json");
    const before = readFileSync(state, "utf8");
    expect(before.length).toBeGreaterThan(12_000);
    const { out } = await writerWithin(10, 0);
    expect(out).toMatch(/^2 1\n3 2\n/);
    expect(readFileSync(state, "utf8")).toBe(before);
    const standing = await loadLoop(fixture.project, fixture.id);
    expect(standing.damagedStateFile).toBeNull();
    await append(standing, { type: "turn.started" });
    expect(readFileSync(state, "utf8")).not.toBe(before);
  });
});

function copyTorn(copy: string, length: number): void {
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(fixture.journal, copy);
  truncateSync(copy, length);
}
