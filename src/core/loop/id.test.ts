import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLoopId, parseLoopId, parseSessionId } from "./id.ts";

const HOSTILE = [
  "",
  ".",
  "..",
  "../x",
  "a/b",
  "a\\b",
  "/etc",
  "a b",
  "a\n",
  "a\0",
  "-rf",
  "é",
  "x".repeat(200),
  7,
  null,
  undefined,
  {},
];

describe("ids", () => {
  test.each(HOSTILE)("%j names neither a loop nor a session", (text) => {
    expect(parseLoopId(text)).toBeNull();
    expect(parseSessionId(text)).toBeNull();
  });

  test.each(["fix-the-tests-a1b2", "0", "x".repeat(80)])("%s names a loop", (text) => {
    expect(parseLoopId(text)).toBe(text);
  });

  test.each(["Fix", ".hidden", "a_b"])("%s does not name a loop", (text) => {
    expect(parseLoopId(text)).toBeNull();
  });

  test.each(["0193e4f2-7c11-7d3a-9b0e-2f6c1d5a8e77", "ses_1a2B", "thread_12.3", "x".repeat(128)])(
    "%s names a session",
    (text) => {
      expect(parseSessionId(text)).toBe(text);
    },
  );

  test.each(["...", ".", ".profile", ":1"])("%s does not name a session", (text) => {
    expect(parseSessionId(text)).toBeNull();
  });
});

describe("a new loop's id", () => {
  test.each([
    ["Fix the failing tests!", "fix-the-failing-tests-a1b2"],
    [
      "Refactor src/api/users.ts to use async/await everywhere in it",
      "refactor-src-api-users-ts-to-use-a1b2",
    ],
    ["Übung: größere Ärmel", "ubung-grossere-armel-a1b2"],
    ["修复测试", "loop-a1b2"],
    ["", "loop-a1b2"],
    ["../../etc/passwd", "etc-passwd-a1b2"],
    ["x".repeat(500), "loop-a1b2"],
  ])("of %j is %s", (spec, id) => {
    expect(createLoopId(spec, "a1b2")).toBe(id);
  });

  test("is an id, whatever the spec", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 600 }), (spec) => {
        expect(parseLoopId(createLoopId(spec, "zzzz"))).not.toBeNull();
      }),
    );
  });

  test("refuses a suffix that would make it unsafe", () => {
    expect(() => createLoopId("fix", "../x")).toThrow("not a usable suffix");
  });
});
