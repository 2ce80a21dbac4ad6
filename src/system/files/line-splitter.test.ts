import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineSplitter } from "./lines.ts";

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
