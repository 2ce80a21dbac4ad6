import { describe, expect, it } from "vitest";
import { decodeCursor, encodeCursor, MOST_COUNTED, MOST_SUBAGENTS } from "./spend-cursor.ts";
import type { SpendCursor } from "./spend-cursor.ts";
import { NO_USAGE } from "./transcript.ts";

function cursor(subagents: number, counted: number): SpendCursor {
  return {
    session: "12345678-1234-5678-1234-567812345678",
    lookedAt: 1_800_000_000_000,
    main: { inode: 123_456_789, offset: 50_000_000 },
    subagents: new Map(
      Array.from({ length: subagents }, (_, index) => [
        `workflows/wf_57c6a296-6f2/agent-a7748a49cbfab${index}.jsonl`,
        { inode: 123_456_789 + index, offset: 1_234_567 },
      ]),
    ),
    quietUntil: 1_799_999_999_999.125,
    counted: Array.from({ length: counted }, (_, index) => ({
      message: `qYQCnyAgb${index + 100}`,
      request: "nyAgb1",
      ofSubagent: index % 2 === 0,
      usage: {
        ...NO_USAGE,
        input: 12,
        output: 1133,
        cacheWrite: 11_414,
        cacheWrite1h: 11_414,
        cacheRead: 163_538,
        inUs: index % 3 === 0,
        fast: index % 5 === 0,
      },
    })),
  };
}

describe("a cursor as text", () => {
  it("comes back as it was", () => {
    const full = cursor(MOST_SUBAGENTS, MOST_COUNTED);
    expect(decodeCursor(encodeCursor(full))).toEqual(full);
  });

  it("is small, even at its fullest", () => {
    expect(encodeCursor(cursor(0, MOST_COUNTED)).length).toBeLessThan(2_000);
    expect(encodeCursor(cursor(MOST_SUBAGENTS, MOST_COUNTED)).length).toBeLessThan(5_000);
  });

  it.each([
    ["nothing", ""],
    ["an object", "{}"],
    ["an empty list", "[]"],
    ["a cut text", "[1,"],
    ["null", "null"],
    ["a huge text", `"${"x".repeat(100_000)}"`],
    ["a later version", encodeCursor(cursor(1, 1)).replace("[1,", "[2,")],
    ["a place before the beginning", encodeCursor(cursor(1, 1)).replace("50000000", "-1")],
    ["a place that is text", encodeCursor(cursor(1, 1)).replace("50000000", '"end"')],
    ["a usage that is none", encodeCursor(cursor(1, 1)).replace("1133", "null")],
    ["too many files", encodeCursor(cursor(MOST_SUBAGENTS + 1, 1))],
    ["too many messages", encodeCursor(cursor(1, MOST_COUNTED + 1))],
  ])("is not made of %s", (_, text) => {
    expect(decodeCursor(text)).toBeNull();
  });
});
