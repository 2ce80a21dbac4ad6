import type * as Fs from "node:fs";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LoopEvent } from "../src/core/events/event.ts";
import { evolve } from "../src/core/events/evolve.ts";
import { topFrame } from "../src/core/loop/loop.ts";
import { appendRecord } from "../src/storage/journal/file/append.ts";
import { createJournal } from "../src/storage/journal/file/file-journals.ts";
import { JournalError } from "../src/storage/journal/journal-error.ts";
import { loadJournal } from "../src/storage/journal/file/load.ts";
import { readJournal } from "../src/storage/journal/file/read.ts";
import { AT_THE_BEGINNING } from "../src/storage/journal/journal.ts";
import { encodeRecord } from "../src/storage/journal/record.ts";
import { writeProjections } from "../src/storage/home/projections.ts";
import type { Fixture } from "./programs/journal-fixture.ts";
import {
  START,
  append,
  clock,
  held,
  hold,
  iterate,
  linesOf,
  openFixture,
  opening,
  loadLoop,
  transact,
} from "./programs/journal-fixture.ts";
import { variant } from "./support/variant.ts";
import { effort } from "./support/effort.ts";

/** What happens, once, at the moments that a test cannot reach from outside. */
const meanwhile = vi.hoisted(() => {
  const moments: { beforeWrite?: () => void; beforeSync?: () => void; beforeClose?: () => void } = {};
  const come = (moment: keyof typeof moments): void => {
    const act = moments[moment];
    delete moments[moment];
    act?.();
  };
  return { moments, come };
});
vi.mock("node:fs", async (importOriginal) => {
  const fs = await importOriginal<typeof Fs>();
  return {
    ...fs,
    writeSync: (file: number, bytes: Buffer) => {
      meanwhile.come("beforeWrite");
      return fs.writeSync(file, bytes);
    },
    fdatasyncSync: (file: number) => {
      meanwhile.come("beforeSync");
      fs.fdatasyncSync(file);
    },
    closeSync: (file: number) => {
      meanwhile.come("beforeClose");
      fs.closeSync(file);
    },
  };
});

let fixture: Fixture;
beforeEach(() => {
  fixture = openFixture();
});
afterEach(() => {
  for (const moment of ["beforeWrite", "beforeSync", "beforeClose"] as const)
    delete meanwhile.moments[moment];
  fixture.remove();
});

const load = async () => loadLoop(fixture.project, fixture.id);

async function failureOfHold(): Promise<unknown> {
  return transact(await load(), clock(), hold).catch((error: unknown) => error);
}

async function failureOf(events: readonly LoopEvent[]): Promise<unknown> {
  try {
    appendRecord(fixture.journal, (await load()).cursor, START, events);
  } catch (error) {
    return error;
  }
  return null;
}

describe("two writers who decide on the same state", () => {
  it("lets the first win and tells the second what the first wrote", async () => {
    const { cursor } = await load();
    const first = appendRecord(fixture.journal, cursor, START, [held(1, "first")]);
    const second = appendRecord(fixture.journal, cursor, START, [held(1, "second")]);
    expect(first.type).toBe("won");
    expect(second).toMatchObject({
      type: "lost",
      cursor: first.cursor,
      records: [{ follows: 1, events: [held(1, "first")] }],
    });
    expect(linesOf(fixture.journal)).toHaveLength(2);
  });

  it("lets the first win that the file has, though both have written", async () => {
    const { cursor } = await load();
    const first = encodeRecord(cursor, START, "first", [held(1, "first")]);
    const next = encodeRecord({ seq: 2, sum: first.sum }, START, "next", [held(2, "next")]);
    meanwhile.moments.beforeWrite = () => appendFileSync(fixture.journal, `${first.line}\n${next.line}\n`);
    const second = appendRecord(fixture.journal, cursor, START, [held(1, "second")]);
    expect(second).toMatchObject({
      type: "lost",
      cursor: { seq: 3, sum: next.sum },
      records: [{ events: [held(1, "first")] }, { events: [held(2, "next")] }],
    });
    expect(readFileSync(fixture.journal, "utf8")).toContain("second");
    const after = loadJournal(fixture.journal);
    expect(after.cursor).toEqual(second.cursor);
    expect(topFrame(after.loop).iteration).toBe(2);
  });

  it("tells two equal decisions of one moment apart", async () => {
    const { cursor } = await load();
    const bytes = (): string => {
      const before = readFileSync(fixture.journal);
      appendRecord(fixture.journal, cursor, START, [held(1)]);
      const line = readFileSync(fixture.journal, "utf8").slice(before.length);
      writeFileSync(fixture.journal, before);
      return line;
    };
    expect(bytes()).not.toBe(bytes());
  });

  it("decides again on what the first wrote", async () => {
    const [one, other] = [await load(), await load()];
    const decidedOn: number[] = [];
    const { result, standing } = await transact(other, clock(), async (loop) => {
      decidedOn.push(topFrame(loop).iteration);
      if (decidedOn.length === 1) await transact(one, clock(), hold);
      return hold(loop);
    });
    expect(decidedOn).toEqual([0, 1]);
    expect(result).toBe(2);
    expect((await load()).loop).toEqual(standing.loop);
  });

  it("writes nothing when the second decision has nothing to say any more", async () => {
    const [one, other] = [await load(), await load()];
    const { result, standing } = await transact(other, clock(), async (loop) => {
      if (loop.phase !== "active") return { events: [], result: -1 };
      await transact(one, clock(), () => ({ events: [{ type: "loop.cancelled", by: "person" }], result: 1 }));
      return hold(loop);
    });
    expect(result).toBe(-1);
    expect(standing.loop.phase).toBe("cancelled");
    expect((await load()).cursor.seq).toBe(2);
  });

  it("does not take a writer between journal and state.json for a damaged journal", async () => {
    const { cursor, loop } = await load();
    // Once the reader has read the journal, and before it reads the projection, another writer writes both.
    meanwhile.moments.beforeClose = () => {
      appendRecord(fixture.journal, cursor, START, [held(1)]);
      void writeProjections(fixture.project, evolve(loop, held(1), START), 2);
    };
    const standing = await load();
    expect(standing.cursor.seq).toBe(2);
    expect(topFrame((await append(standing, held(2))).loop).iteration).toBe(2);
  });
});

describe("a record behind torn bytes", () => {
  it.each<[string, Buffer]>([
    ["a few characters", Buffer.from('{"follows":1,"af')],
    ["half a character", Buffer.from('{"follows":1,"text":"né').subarray(0, -1)],
    ["three quarters of a character", Buffer.from('{"follows":1,"text":"🙂').subarray(0, -1)],
    ["bytes of no text", Buffer.from([0, 255, 254, 128, 0])],
    ["the beginning of a record, twice", Buffer.from('{"follows":{"follows":')],
  ])("counts after %s on its line", async (_name, torn) => {
    const { cursor } = await load();
    appendFileSync(fixture.journal, torn);
    const start = readFileSync(fixture.journal).length;
    const appended = appendRecord(fixture.journal, cursor, START, [held(1)]);
    expect(appended).toMatchObject({ type: "won", cursor: { seq: 2, start } });
    expect(loadJournal(fixture.journal).cursor).toEqual(appended.cursor);
    expect(appendRecord(fixture.journal, appended.cursor, START, [held(2)]).type).toBe("won");
    expect(readFileSync(fixture.journal).subarray(start - torn.length, start)).toEqual(torn);
  });

  it("counts after a whole record that lacks only its line break, which does not", async () => {
    const { cursor } = await load();
    appendFileSync(fixture.journal, encodeRecord(cursor, START, "dead", [held(1, "dead")]).line);
    expect(loadJournal(fixture.journal).cursor).toEqual(cursor);
    appendRecord(fixture.journal, cursor, START, [held(1, "alive")]);
    expect(loadJournal(fixture.journal).loop.sentFailure).toBe("alive");
  });

  it("does not harm the journal when it loses", async () => {
    const { cursor } = await load();
    const first = appendRecord(fixture.journal, cursor, START, [held(1)]);
    appendFileSync(fixture.journal, `torn${encodeRecord(cursor, START, "late", [held(1)]).line}\n`);
    expect(loadJournal(fixture.journal).cursor).toEqual(first.cursor);
  });
});

describe("a journal that is deleted", () => {
  it("is missing to a reader", async () => {
    rmSync(fixture.journal);
    await expect(load()).rejects.toThrow(
      expect.objectContaining({ name: "JournalError", code: "missing" }) as Error,
    );
  });

  it("is not written back by a writer who knew it", async () => {
    const standing = await load();
    rmSync(fixture.journal);
    await expect(transact(standing, clock(), hold)).rejects.toMatchObject({
      name: "JournalError",
      code: "missing",
    });
    expect(existsSync(fixture.journal)).toBe(false);
  });

  it("is not written back when the whole of .loop is deleted while a decision is made", async () => {
    const error = await transact(await load(), clock(), (loop) => {
      rmSync(fixture.project.folder, { recursive: true });
      return hold(loop);
    }).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: "missing" });
    expect(readdirSync(fixture.project.root)).toEqual([]);
  });

  it.each<[string, () => void]>([
    ["deleted", () => rmSync(fixture.journal)],
    ["deleted with all of .loop", () => rmSync(fixture.project.folder, { recursive: true })],
    ["renamed", () => renameSync(fixture.journal, `${fixture.journal}.old`)],
    ["moved with its folder", () => renameSync(dirname(fixture.journal), `${dirname(fixture.journal)}-x`)],
    ["moved with all of .loop", () => renameSync(fixture.project.folder, `${fixture.project.folder}-old`)],
    [
      "moved aside for a copy",
      () => {
        renameSync(fixture.journal, `${fixture.journal}.old`);
        writeFileSync(fixture.journal, readFileSync(`${fixture.journal}.old`));
      },
    ],
    [
      "replaced by a copy",
      () => {
        const bytes = readFileSync(fixture.journal);
        rmSync(fixture.journal);
        writeFileSync(fixture.journal, bytes);
      },
    ],
  ])("is noticed when it is %s before the record is acknowledged", async (_name, act) => {
    meanwhile.moments.beforeSync = act;
    expect(await failureOfHold()).toMatchObject({ name: "JournalError", code: "missing" });
  });

  it("is noticed when it is deleted between the look and the write", async () => {
    meanwhile.moments.beforeWrite = () => rmSync(fixture.journal);
    expect(await failureOfHold()).toMatchObject({ code: "missing" });
    expect(existsSync(fixture.journal)).toBe(false);
  });

  it("leaves projections without a folder to stand in, and they make none", async () => {
    const { loop } = await load();
    rmSync(fixture.project.folder, { recursive: true });
    await writeProjections(fixture.project, loop, 1);
    expect(readdirSync(fixture.project.root)).toEqual([]);
  });
});

describe("a journal that is created", () => {
  it("never replaces another, and leaves no draft", () => {
    const before = readFileSync(fixture.journal);
    expect(() => createJournal(fixture.journal, START, [opening()])).toThrow(
      expect.objectContaining({ name: "JournalError", code: "exists" }) as Error,
    );
    expect(readFileSync(fixture.journal)).toEqual(before);
    expect(readdirSync(dirname(fixture.journal))).toEqual(["journal.jsonl"]);
  });

  it("returns the cursor that a reader finds", () => {
    const path = join(fixture.project.root, "a", "b", "journal.jsonl");
    mkdirSync(dirname(path), { recursive: true });
    const cursor = createJournal(path, START, [opening()]);
    expect(loadJournal(path).cursor).toEqual(cursor);
  });
});

describe("what is written", () => {
  it.each<[string, LoopEvent]>([
    ["a cost that is no number", { type: "cost.charged", usd: Number.NaN, tokens: 1, priced: true }],
    ["an endless cost", { type: "cost.charged", usd: Number.POSITIVE_INFINITY, tokens: 1, priced: true }],
    ["a counter below zero", held(-1)],
    ["a counter that is missing", { type: "iteration.held", sentFailure: null } as unknown as LoopEvent],
  ])("is not %s, which could not be read back", async (_name, event) => {
    const before = readFileSync(fixture.journal);
    expect(await failureOf([event])).toMatchObject({ name: "JournalError", code: "unwritable" });
    expect(readFileSync(fixture.journal)).toEqual(before);
  });

  it("is not more than a reader takes for a record", async () => {
    const before = readFileSync(fixture.journal);
    expect(await failureOf([{ type: "wait.began", what: "x".repeat(17 * 1024 * 1024) }])).toMatchObject({
      code: "unwritable",
      message: "the text is too long for one record",
    });
    expect(readFileSync(fixture.journal)).toEqual(before);
  });

  variant("may be large, behind a large one that was torn", async () => {
    const { cursor } = await load();
    const what = "é".repeat(7 * 1024 * 1024);
    appendFileSync(fixture.journal, encodeRecord(cursor, START, "torn", [{ type: "wait.began", what }]).line);
    const appended = appendRecord(fixture.journal, cursor, START, [{ type: "wait.began", what }]);
    expect(appended.type).toBe("won");
    expect(loadJournal(fixture.journal).cursor).toEqual(appended.cursor);
  });

  it("is read back as it was, whatever the text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "binary", maxLength: 200 }), { minLength: 1, maxLength: 4 }),
        async (texts) => {
          const events = texts.map((what): LoopEvent => ({ type: "wait.began", what }));
          const { cursor } = await append(await load(), ...events);
          const read: LoopEvent[][] = [];
          readJournal(fixture.journal, AT_THE_BEGINNING, (record) => read.push([...record.events]));
          expect(read.at(-1)).toEqual(events);
          expect(read).toHaveLength(cursor.seq);
        },
      ),
      {
        numRuns: effort(20, 60, 60),
        examples: [[["\uD800", "\uFFFD", '{"follows":1', '","sum":"0123456789abcdef"}']]],
      },
    );
  });

  it("is refused with one sentence where nothing may be written", async () => {
    const standing = await iterate(fixture, 1);
    meanwhile.moments.beforeWrite = () => {
      throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
    };
    const error = await transact(standing, clock(), hold).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(JournalError);
    expect(error).toMatchObject({ code: "unwritable", message: "the journal cannot be written (ENOSPC)" });
    meanwhile.moments.beforeSync = () => {
      throw Object.assign(new Error("input/output error"), { code: "EIO" });
    };
    await expect(transact(standing, clock(), hold)).rejects.toMatchObject({
      code: "unwritable",
      message: "the journal cannot be written (EIO)",
    });
  });
});
