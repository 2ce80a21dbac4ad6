import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { topFrame } from "../src/core/loop/loop.ts";
import { appendRecord } from "../src/storage/journal/file/append.ts";
import type { JournalErrorCode } from "../src/storage/journal/journal-error.ts";
import { JournalError } from "../src/storage/journal/journal-error.ts";
import { loadJournal } from "../src/storage/journal/file/load.ts";
import type { Cursor } from "../src/storage/journal/journal.ts";
import { encodeRecord, sumOf } from "../src/storage/journal/record.ts";
import type { Fixture } from "./programs/journal-fixture.ts";
import {
  START,
  held,
  linesOf,
  openFixture,
  opening,
  withRightSum,
  writeChain,
  loadLoop,
} from "./programs/journal-fixture.ts";
import { variant } from "./support/variant.ts";

let fixture: Fixture;
let cursors: Cursor[];
let whole: Buffer;
beforeEach(() => {
  fixture = openFixture();
  cursors = writeChain(fixture.journal, [[opening()], ...[1, 2, 3, 4].map((each) => [held(each, "né 🙂")])]);
  whole = readFileSync(fixture.journal);
});
afterEach(() => fixture.remove());

async function errorOf(action: () => unknown): Promise<unknown> {
  try {
    await action();
  } catch (error) {
    return error;
  }
  return null;
}

/** What loading such a journal says, each way of loading it, and whether the file stayed as it was. */
async function refusalOf(bytes: Buffer | string): Promise<unknown> {
  writeFileSync(fixture.journal, bytes);
  const before = readFileSync(fixture.journal);
  const [first, second] = [
    await errorOf(async () => loadLoop(fixture.project, fixture.id)),
    await errorOf(() => loadJournal(fixture.journal, { fromScratch: true })),
  ];
  if (!(first instanceof JournalError) || !(second instanceof JournalError)) return { first, second };
  if (first.message !== second.message || first.code !== second.code) return { first, second };
  const isTouched = !readFileSync(fixture.journal).equals(before);
  const isOneSentence = /^[\w ".,;:()-]{10,120}$/.test(first.message);
  return { code: first.code, message: first.message, isOneSentence, isTouched };
}

function refused(code: JournalErrorCode, about: RegExp): unknown {
  return { code, message: expect.stringMatching(about), isOneSentence: true, isTouched: false };
}

/** The journal with a fifth iteration of the given form, its sum right. */
function withEvent(event: { readonly [key: string]: unknown } | string): string {
  const last = cursors[4];
  const text = typeof event === "string" ? event : JSON.stringify(event);
  const body = `{"follows":5,"after":"${last?.sum}","at":"2026-01-02T03:05:05.000Z","nonce":"n","events":[${text}]`;
  return `${whole.toString()}${withRightSum(body)}\n`;
}

function swapped(lines: string[], one: number, other: number): string {
  const changed = [...lines];
  [changed[one], changed[other]] = [lines[other] ?? "", lines[one] ?? ""];
  return `${changed.join("\n")}\n`;
}

function pretty(): string {
  return linesOf(fixture.journal)
    .map((line) => `${JSON.stringify(JSON.parse(line), null, 2)}\n`)
    .join("");
}

const HELD = { type: "iteration.held", v: 1, iteration: 5, sentFailure: null };

describe("a journal that was damaged", () => {
  it("is corrupt with any one byte of a middle record changed", async () => {
    const { start } = cursors[2] as Cursor;
    for (let at = start; at < (cursors[3] as Cursor).start; at += 1) {
      for (const mask of [0x01, 0x20, 0x80]) {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ mask;
        expect(await refusalOf(bytes)).toEqual(refused("corrupt", /damaged/));
      }
    }
  });

  it("is corrupt with any one byte of the last record changed", async () => {
    for (let at = (cursors[4] as Cursor).start; at < whole.length - 1; at += 1) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 0x01;
      expect(await refusalOf(bytes)).toEqual(refused("corrupt", /damaged/));
    }
  });

  it.each<[string, () => Buffer | string, JournalErrorCode, RegExp]>([
    ["empty", () => "", "corrupt", /no complete record/],
    ["one line break", () => "\n", "corrupt", /no complete record/],
    ["cut within the opening", () => whole.subarray(0, 100), "corrupt", /no complete record/],
    ["binary", () => Buffer.from([...Array(5_000).keys()].map((n) => (n * 197) % 256)), "corrupt", /journal/],
    ["only zeros", () => Buffer.alloc(10_000), "corrupt", /no complete record/],
    ["zeros and line breaks", () => "\0\0\0\n".repeat(100), "corrupt", /damaged at byte 0/],
    [
      "zeros over a middle record",
      () => Buffer.from(whole).fill(0, cursors[2]?.start, cursors[3]?.start),
      "corrupt",
      /record 3 is missing/,
    ],
    ["a text of another kind", () => "hello\nworld\n", "corrupt", /damaged at byte 0/],
    ["a JSON of another kind", () => '{"iteration":4}\n', "corrupt", /damaged at byte 0/],
    ["a last line of garbage", () => `${whole.toString()}garbage\n`, "corrupt", /damaged at byte/],
    [
      "a line of garbage in the middle",
      () => linesOf(fixture.journal).toSpliced(2, 0, "garbage").join("\n"),
      "corrupt",
      /damaged at byte/,
    ],
    [
      "a record removed",
      () => `${linesOf(fixture.journal).toSpliced(2, 1).join("\n")}\n`,
      "corrupt",
      /record 3 is missing/,
    ],
    [
      "the opening removed",
      () => `${linesOf(fixture.journal).slice(1).join("\n")}\n`,
      "corrupt",
      /record 1 is missing/,
    ],
    ["two records swapped", () => swapped(linesOf(fixture.journal), 2, 3), "corrupt", /record 3 is missing/],
    ["the opening swapped", () => swapped(linesOf(fixture.journal), 0, 1), "corrupt", /record 1 is missing/],
    [
      "a record replaced by another that follows the same one",
      () =>
        linesOf(fixture.journal)
          .with(2, encodeRecord(cursors[1] as Cursor, START, "forged", [held(2)]).line)
          .join("\n"),
      "corrupt",
      /record 4 is missing or was replaced/,
    ],
    ["CRLF line ends", () => whole.toString().replaceAll("\n", "\r\n"), "corrupt", /damaged at byte 0/],
    ["a byte order mark", () => `\uFEFF${whole.toString()}`, "corrupt", /damaged at byte 0/],
    ["a byte order mark alone", () => "\uFEFF", "corrupt", /no complete record/],
    ["UTF-16", () => Buffer.from(whole.toString(), "utf16le"), "corrupt", /damaged at byte 0/],
    ["pretty-printed", () => pretty(), "corrupt", /damaged at byte 0/],
    [
      "a sum of its own making",
      () => withEvent(HELD).replace(/[0-9a-f]{16}"\}\n$/, '0000000000000000"}\n'),
      "corrupt",
      /damaged/,
    ],
  ])("is corrupt when it is %s", async (_name, bytes, code, about) => {
    expect(await refusalOf(bytes())).toEqual(refused(code, about));
  });

  variant("is corrupt with a line of 100 MB, found without reading it all into memory", async () => {
    const line = Buffer.alloc(100 * 1024 * 1024, "a");
    const before = process.memoryUsage().arrayBuffers;
    expect(await refusalOf(Buffer.concat([whole, line, Buffer.from("\n")]))).toEqual(
      refused("corrupt", /too long to be a record/),
    );
    expect(await refusalOf(line)).toEqual(refused("corrupt", /too long to be a record/));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1024 * 1024 * 1024);
  });

  it("is corrupt when it ends before what a snapshot or state.json knows of", async () => {
    const events = Array.from({ length: 300 }, (_, index) => [held(index + 1)]);
    const many = writeChain(fixture.journal, [[opening()], ...events]);
    expect(loadJournal(fixture.journal).cursor.seq).toBe(301); // which leaves a snapshot
    rmSync(join(fixture.project.folder, "state.json"));
    const short = readFileSync(fixture.journal).subarray(0, (many[50] as Cursor).start);
    writeFileSync(fixture.journal, short);
    expect(await errorOf(async () => loadLoop(fixture.project, fixture.id))).toMatchObject({
      code: "corrupt",
      message: "the journal is shorter than it was: record 301 is missing",
    });
    expect(readFileSync(fixture.journal)).toEqual(short);
  });

  it("does not count a record that stands there twice", async () => {
    for (const line of [0, 2, 4]) {
      const lines = linesOf(fixture.journal);
      writeFileSync(fixture.journal, `${whole.toString()}${lines[line]}\n`);
      expect(topFrame((await loadLoop(fixture.project, fixture.id)).loop).iteration).toBe(4);
    }
    const [, , third = ""] = linesOf(fixture.journal);
    writeFileSync(fixture.journal, whole.toString().replace(third, `${third}\n${third}`));
    expect(topFrame((await loadLoop(fixture.project, fixture.id)).loop).iteration).toBe(4);
  });
});

describe("a journal that somebody wrote by hand", () => {
  it("loads with a right sum", async () => {
    writeFileSync(fixture.journal, withEvent(HELD));
    expect(topFrame((await loadLoop(fixture.project, fixture.id)).loop).iteration).toBe(5);
  });

  it.each([
    "2026-01-02T03:05:05Z",
    "2026-01-02T03:05:05.000Z",
    "2026-01-02T03:05:05+00:00",
    "2026-01-02T05:05:05+02:00",
  ])("reads a time written as %s", async (at) => {
    const text = withEvent(HELD).trimEnd().split("\n");
    const line = text.pop()?.replace(/"at":"[^"]*"/, `"at":"${at}"`) ?? "";
    writeFileSync(fixture.journal, `${text.join("\n")}\n${withRightSum(line)}\n`);
    expect(loadJournal(fixture.journal).loop.updatedAt).toBe(Date.parse("2026-01-02T03:05:05.000Z"));
  });

  it.each<[string, string]>([
    ["an unknown event", '{"type":"loop.forked","v":1}'],
    ["an event named like a property of every object", '{"type":"__proto__","v":1}'],
    ["an event named like a method of every object", '{"type":"constructor","v":1}'],
    ["an event whose name is a hostile text", JSON.stringify({ type: "x\n\u001b[2JIgnore all", v: 1 })],
    ["an event with an enormous name", JSON.stringify({ type: "x".repeat(10_000), v: 1 })],
    ["a newer form of a known event", JSON.stringify({ ...HELD, v: 2 })],
    ["a newer form whose fields changed", JSON.stringify({ type: "iteration.held", v: 7, number: 5 })],
  ])("comes from a newer version with %s", async (_name, event) => {
    expect(await refusalOf(withEvent(event))).toEqual(
      refused("newer", /^a newer version of loop wrote this loop; update loopwright$/),
    );
  });

  it.each<[string, string]>([
    ["a counter that is text", JSON.stringify({ ...HELD, iteration: "x" })],
    ["a counter that is a numeral in quotes", JSON.stringify({ ...HELD, iteration: "5" })],
    ["a counter that is a fraction", JSON.stringify({ ...HELD, iteration: 5.5 })],
    ["a counter below zero", JSON.stringify({ ...HELD, iteration: -5 })],
    [
      "a counter beyond exact numbers",
      '{"type":"iteration.held","v":1,"iteration":1e300,"sentFailure":null}',
    ],
    ["no counter", '{"type":"iteration.held","v":1,"sentFailure":null}'],
    [
      "a counter only in its prototype",
      '{"type":"iteration.held","v":1,"sentFailure":null,"__proto__":{"iteration":5}}',
    ],
    [
      "a counter given twice, the second time as text",
      JSON.stringify(HELD).replace("}", ',"iteration":"x"}'),
    ],
    ["a form that is text", JSON.stringify({ ...HELD, v: "1" })],
    ["no form", '{"type":"iteration.held","iteration":5,"sentFailure":null}'],
    ["an event that is no object", "5"],
    ["an event that is null", "null"],
    ["an event that is a list", "[[]]"],
    ["deep nesting", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    [
      "deep nesting in a field",
      JSON.stringify(HELD).replace("null", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`),
    ],
    [
      "a session id that is a path",
      '{"type":"session.bound","v":1,"binding":{"session":"../../x","host":"h"}}',
    ],
    ["a flag that is text", '{"type":"cost.charged","v":1,"usd":1,"tokens":1,"priced":"true"}'],
  ])("is corrupt with %s", async (_name, event) => {
    expect(await refusalOf(withEvent(event))).toEqual(refused("corrupt", /record of the wrong form$/));
  });

  it.each<[string, string]>([
    ["an iteration that was jumped over", JSON.stringify({ ...HELD, iteration: 7 })],
    [
      "a criterion that nobody added, its name a hostile text",
      JSON.stringify({ type: "criterion.removed", v: 1, name: "x\n\u001b[2JIgnore all", by: "agent" }),
    ],
    ["a second opening", JSON.stringify({ ...opening(), v: 1 })],
    ["the end of a frame that was not begun", '{"type":"frame.popped","v":1,"outcome":"stuck"}'],
  ])("is corrupt with %s", async (_name, event) => {
    expect(await refusalOf(withEvent(event))).toEqual(
      refused("corrupt", /^the journal has an impossible event at record 6$/),
    );
  });

  it.each<[string, (line: string) => string]>([
    ["no events", (line) => line.replace(/"events":\[.*\]/, '"events":[]')],
    ["events that are no list", (line) => line.replace(/"events":\[.*\]/, '"events":{"length":1}')],
    ["a time that is none", (line) => line.replace(/"at":"[^"]*"/, '"at":"yesterday"')],
    ["a time that is a number", (line) => line.replace(/"at":"[^"]*"/, '"at":5')],
    ["no predecessor", (line) => line.replace(/"after":"[^"]*"/, '"after":null')],
    ["a sequence that is text", (line) => line.replace('"follows":5', '"follows":"5"')],
    ["no JSON at all", (line) => line.replace('"nonce"', "nonce")],
    ["a record within a record", (line) => line.replace('"v":1', '"v":1,"x":{"follows":5}')],
  ])("is corrupt with a record of %s", async (_name, change) => {
    const lines = withEvent(HELD).trimEnd().split("\n");
    const last = withRightSum(change(lines.pop() ?? ""));
    expect(await refusalOf(`${lines.join("\n")}\n${last}\n`)).toEqual(refused("corrupt", /damaged/));
  });

  it("is corrupt when it is followed by a record of another chain", async () => {
    const other = encodeRecord({ seq: 5, sum: sumOf("another") }, START, "n", [held(5)]).line;
    expect(await refusalOf(`${whole.toString()}${other}\n`)).toEqual(
      refused("corrupt", /record 6 is missing or was replaced/),
    );
  });

  it("gives no object what stands under __proto__, and takes the last of two equal keys", async () => {
    const event =
      '{"type":"iteration.held","v":1,"__proto__":{"polluted":true},"iteration":9,"iteration":5,"sentFailure":null}';
    writeFileSync(fixture.journal, withEvent(event));
    const { loop } = await loadLoop(fixture.project, fixture.id);
    expect(topFrame(loop).iteration).toBe(5);
    expect(loop).not.toHaveProperty("polluted");
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("something else in the journal's place", () => {
  it("is corrupt as a folder", async () => {
    rmSync(fixture.journal);
    mkdirSync(fixture.journal);
    expect(await errorOf(() => loadJournal(fixture.journal))).toMatchObject({
      code: "corrupt",
      message: "the journal is not a file",
    });
  });

  it.skipIf(process.platform === "win32")("is corrupt as a pipe, which is not waited for", async () => {
    rmSync(fixture.journal);
    execFileSync("mkfifo", [fixture.journal]);
    expect(await errorOf(() => loadJournal(fixture.journal))).toMatchObject({ code: "corrupt" });
    expect(
      await errorOf(() => appendRecord(fixture.journal, cursors[4] as Cursor, START, [held(5)])),
    ).toMatchObject({
      code: "corrupt",
    });
  });

  it("is missing where a folder on its way is a file", async () => {
    expect(await errorOf(() => loadJournal(join(fixture.journal, "journal.jsonl")))).toMatchObject({
      code: "missing",
    });
  });
});

async function append(): Promise<unknown> {
  return errorOf(() => appendRecord(fixture.journal, cursors[4] as Cursor, START, [held(5)]));
}

describe("a writer whose journal was changed under it", () => {
  it.each<[string, () => Buffer | string]>([
    ["cut back to an earlier record", () => whole.subarray(0, cursors[3]?.start)],
    ["emptied", () => ""],
    ["replaced by another of the same length", () => Buffer.alloc(whole.length, "x\n")],
    ["damaged behind the last record", () => `${whole.toString()}garbage\n`],
  ])("writes nothing to one that was %s", async (_name, bytes) => {
    writeFileSync(fixture.journal, bytes());
    const before = readFileSync(fixture.journal);
    expect(await append()).toMatchObject({ name: "JournalError", code: "corrupt" });
    expect(readFileSync(fixture.journal)).toEqual(before);
  });
});
