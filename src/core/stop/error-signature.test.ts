import { describe, expect, test } from "vitest";
import { errorText, errorSignature } from "./error-signature.ts";

/** Two runs of one failure. */
const same: readonly (readonly [title: string, one: string, other: string])[] = [
  ["durations", "FAIL parser (12 ms)\nError: no", "FAIL parser (1.5s)\nError: no"],
  ["dates", "2026-01-05T09:00:00.123Z Error: no", "2026-03-01 10:11:12+02:00 Error: no"],
  ["times of day", "[09:00:00] Error: no", "[23:59:59.5] Error: no"],
  ["temporary folders", "Error: ENOENT /tmp/a1/x.txt", "Error: ENOENT /tmp/b2/x.txt"],
  ["macOS's temporary folders", "Error in /var/folders/zz/1/T/x", "Error in /var/folders/yy/2/T/x"],
  ["addresses", "panic: nil pointer 0xc000012345", "panic: nil pointer 0xc0000fffff"],
  ["unique ids", "Error 6f9619ff-8b86-d011-b42d-00c04fc964ff", "Error 00000000-8b86-d011-b42d-00c04fc964aa"],
  ["hashes", "Error at 3f2504e04f8911d39a0c", "Error at 9c858901deadbeef9a0c"],
  ["process numbers", "Error: process 4711 failed", "Error: process 99 failed"],
  ["ports", "Error: connect localhost:43211 refused", "Error: connect localhost:51234 refused"],
  ["seeds", "Error: failed with seed=12", "Error: failed with seed=345"],
  ["colours", "\u001b[31mError\u001b[0m: no", "Error: no"],
  ["line ends", "Error: no\r\n  at x\r\n", "Error: no\n  at x\n"],
  ["lines before the error", "starting\nloading 3 files\nError: no", "starting\nError: no"],
];

const different: readonly (readonly [title: string, one: string, other: string])[] = [
  ["another message", "Error: no", "Error: yes"],
  ["another place", "Error: no\n  at src/a.ts:3", "Error: no\n  at src/a.ts:9"],
  [
    "another JavaScript error",
    "ReferenceError: a is gone\n\nNode.js v20",
    "ReferenceError: b is gone\n\nNode.js v20",
  ],
  [
    "another Java exception",
    "x.NullPointerException: a\n... 3 more",
    "x.NullPointerException: b\n... 3 more",
  ],
  ["another number that matters", "expected 3 items", "expected 4 items"],
  ["a Python line", 'File "a.py", line 3\nValueError: failed', 'File "a.py", line 8\nValueError: failed'],
];

describe("the signature of an error", () => {
  test.each(same)("is the same in spite of %s", (_, one, other) => {
    expect(errorSignature("tests", one)).toBe(errorSignature("tests", other));
  });

  test.each(different)("is another for %s", (_, one, other) => {
    expect(errorSignature("tests", one)).not.toBe(errorSignature("tests", other));
  });

  test("is another for another criterion", () => {
    expect(errorSignature("lint", "Error: no")).not.toBe(errorSignature("tests", "Error: no"));
  });

  test("names the message and the place", () => {
    const output = "running\nTypeError: x is undefined\n    at load (src/load.ts:12:5)\n";

    expect(errorSignature("tests", output)).toBe("tests: TypeError: x is undefined (src/load.ts:12)");
  });

  test("falls back on the last line, and on saying that there is none", () => {
    expect(errorSignature("tests", "one\ntwo\n\n")).toBe("tests: two");
    expect(errorSignature("tests", "  \n")).toBe("tests: no output");
  });

  test("keeps for people what a signature leaves out", () => {
    const output = "\u001b[31mCould not find '/tmp/a1b2/test/no.test.js'\u001b[0m\n";
    expect(errorSignature("t", output)).toBe("t: Could not find 'TMP'");
    expect(errorText("t", output)).toBe("t: Could not find '/tmp/a1b2/test/no.test.js'");
    expect(errorText("t", "Error: one\nError: two\n")).toBe("t: Error: one and 1 more");
  });

  test("stays short for long outputs", () => {
    expect(errorSignature("tests", `Error: ${"x".repeat(100_000)}`).length).toBeLessThanOrEqual(300);
  });
});
