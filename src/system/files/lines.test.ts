import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, describe, it } from "vitest";
import { readLines, createLineSplitter } from "./lines.ts";
import { withFile } from "./read-file.ts";
import * as fc from "fast-check";

function place(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-lines-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "lines");
}

function read(path: string, from = 0, limitBytes = 1_000_000): { lines: string[]; place: number | null } {
  const lines: string[] = [];
  const place = withFile(path, (file, { size }) =>
    readLines(file, { from, until: size, limitBytes }, (line) => lines.push(line)),
  );
  return { lines, place };
}

test("a reading goes on where the last one ended, and takes a line when it is whole", () => {
  const path = place();
  writeFileSync(path, "one\ntw");
  expect(read(path)).toEqual({ lines: ["one"], place: 4 });
  appendFileSync(path, "o\nthree");
  expect(read(path, 4)).toEqual({ lines: ["two"], place: 8 });
  expect(read(path, 8)).toEqual({ lines: [], place: 8 });
});

test("lines are whole wherever the pieces that are read end", () => {
  const path = place();
  const lines = Array.from({ length: 900 }, (_, index) => `${index} ${"ü".repeat(index)}`);
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
  expect(read(path).lines).toEqual(lines);
});

test("of a line that is too long nothing is kept, and a later reading goes on behind what was seen of it", () => {
  const path = place();
  writeFileSync(path, `one\n${"x".repeat(200)}`);
  expect(read(path, 0, 100)).toEqual({ lines: ["one"], place: 204 });
  appendFileSync(path, "\ntwo\n");
  expect(read(path, 0, 100)).toEqual({ lines: ["one", "two"], place: 209 });
});

test("a file that became shorter meanwhile is read to its end", () => {
  const path = place();
  writeFileSync(path, "one\ntwo\n");
  const lines: string[] = [];
  const end = withFile(path, (file, { size }) => {
    truncateSync(path, 5);
    return readLines(file, { from: 0, until: size, limitBytes: 100 }, (line) => lines.push(line));
  });
  expect([lines, end]).toEqual([["one"], 4]);
});

test("what is no file is not read, and a pipe not waited for", () => {
  const path = place();
  expect(read(path).place).toBeNull();
  execFileSync("mkfifo", [path]);
  expect(read(path).place).toBeNull();
  expect(read(tmpdir()).place).toBeNull();
});

function split(chunks: readonly Uint8Array[], limitBytes = 1_000): readonly string[] {
  const lines: string[] = [];
  const splitter = createLineSplitter(limitBytes, (line) => lines.push(line));
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  splitter.end();
  return lines;
}

/** The same by other means, without any thought for memory. */
function reference(whole: Buffer, limitBytes: number): readonly string[] {
  const all = whole.toString("latin1").split("\n");
  if (all.at(-1) === "") all.pop();
  const kept = all.filter((line) => line.length <= limitBytes);
  return kept.map((line) => Buffer.from(line.replace(/\r$/, ""), "latin1").toString("utf8"));
}

function splitText(text: string, limitBytes?: number): readonly string[] {
  return split([Buffer.from(text)], limitBytes);
}

describe("lines", () => {
  it.each([
    ["", []],
    ["\n", [""]],
    ["one\ntwo\n", ["one", "two"]],
    ["one\n\ntwo", ["one", "", "two"]],
    ["one\r\ntwo\r\n\r\nthree\r", ["one", "two", "", "three"]],
    ["one\rtwo\n", ["one\rtwo"]],
    ["a\0b\n", ["a\0b"]],
  ])("are what stands between line ends: %j", (text, lines) => {
    expect(splitText(text)).toEqual(lines);
  });

  it("keep a place for what is no text", () => {
    expect(split([Buffer.from([0x61, 0xff, 0xc3, 0x0a, 0xa9, 0x62])])).toEqual(["a\uFFFD\uFFFD", "\uFFFDb"]);
  });

  it("are the same however the bytes come in", () => {
    const bytes = fc.uint8Array({ maxLength: 60 });
    const text = fc.string({ unit: "grapheme", maxLength: 20 }).map((each) => Buffer.from(`${each}\n`));
    const pieces = fc.array(fc.oneof(bytes, text, fc.constant(Buffer.from("\r\n"))), { maxLength: 10 });
    fc.assert(
      fc.property(
        pieces,
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 0, max: 30 }),
        (all, size, limit) => {
          const whole = Buffer.concat(all);
          const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
            whole.subarray(index * size, (index + 1) * size),
          );
          expect(split(chunks, limit)).toEqual(reference(whole, limit));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe("the limit", () => {
  it("leaves out what is longer, and nothing else", () => {
    expect(splitText("1234\n12345\n123456\n1\n", 5)).toEqual(["1234", "12345", "1"]);
  });

  it("leaves out a line without an end", () => {
    expect(splitText("1\n123456", 5)).toEqual(["1"]);
  });

  it("is that of a line, over however many chunks", () => {
    const chunks = ["123", "456", "789", "\n123", "45", "\n1"].map((each) => Buffer.from(each));
    expect(split(chunks, 5)).toEqual(["12345", "1"]);
  });
});

describe("what is begun", () => {
  it("is as long as what stands without an end, and nothing where that is left out", () => {
    const splitter = createLineSplitter(5, () => undefined);
    const begun = ["12", "34\n1", "2345", "6", "\n1"].map((each) => {
      splitter.push(Buffer.from(each));
      return splitter.begunBytes();
    });
    expect(begun).toEqual([2, 1, 5, 0, 1]);
  });
});
