import { describe, expect, it } from "vitest";
import type { Proven } from "../../core/loop/proof.ts";
import { provenIn, storedProven } from "./stored-proven.ts";

const PROVEN: Proven = {
  changes: {
    missing: null,
    isWorkThere: true,
    files: { source: ["a.js"], tests: ["a.test.js"], definitions: [], deleted: ["b.js"] },
    checks: new Map([
      [
        "tests pass",
        {
          before: "unrun",
          definitions: [
            { name: "a.test.js", path: "a.test.js", isTest: true, change: "removed", isExempt: false },
          ],
          shortfalls: [{ text: "1 test executed, 2 at the opening.", isClear: true, isOfNumbers: true }],
          altersFiles: false,
          judgesSource: false,
        },
      ],
      [
        "types hold",
        { before: "green", definitions: [], shortfalls: null, altersFiles: false, judgesSource: false },
      ],
    ]),
  },
  shown: [
    { kind: "judge", name: "tests pass", result: "fails", detail: "x", files: ["a"], output: "not ok" },
    { kind: "holdout", name: null, result: "open", detail: null, files: [], output: null },
  ],
  holdouts: ["secret"],
};

describe("proofs that another process has shown", () => {
  it("are read as they were stored", () => {
    expect(provenIn(JSON.parse(JSON.stringify(storedProven(PROVEN))))).toEqual(PROVEN);
  });

  it("without anything to compare with, too", () => {
    const bare: Proven = {
      changes: { missing: "gone", isWorkThere: true, files: null, checks: new Map() },
      shown: [],
      holdouts: [],
    };
    expect(provenIn(JSON.parse(JSON.stringify(storedProven(bare))))).toEqual(bare);
  });

  it.each([
    undefined,
    null,
    "proven",
    {},
    { ...storedProven(PROVEN), shown: [{ kind: "word" }] },
    { ...storedProven(PROVEN), changes: { ...storedProven(PROVEN).changes, checks: { "tests pass": {} } } },
  ])("%j is none", (value) => {
    expect(provenIn(value)).toBeNull();
  });
});
