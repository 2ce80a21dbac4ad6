import { expect, test } from "vitest";
import { checked, loopWith, proofShown, ran } from "../../test/support/loop-builders.ts";
import type { Confidence, Loop } from "../core/loop/loop.ts";
import type { ChangedFiles } from "../core/loop/proof.ts";
import { changesLine, completedLine, completeText } from "./completion.ts";
import { statusView } from "./status.ts";

const NOBODY = "the checks pass without the work, too";
const CHANGED: ChangedFiles = {
  source: ["src/cart.js"],
  tests: ["test/cart.test.js", "test/tax.test.js"],
  definitions: ["scripts.test in package.json"],
  deleted: ["a", "b", "c", "d", "e", "f\nf"],
};

function completed(
  names: readonly string[],
  confidence: Confidence,
  why: readonly string[],
): Loop & { phase: "completed" } {
  const loop = loopWith(
    { goal: { criteria: names.map(checked) } },
    ...names.map((name) => ran(name)),
    ...names.map((name) => proofShown(name, { kind: "counts", detail: "2 more were skipped." })),
    proofShown(null, { kind: "holdout", detail: "totals" }),
    { type: "loop.completed", confidence, why, changed: CHANGED },
  );
  if (loop.phase !== "completed") throw new Error("not completed");
  return loop;
}

test.each<readonly [readonly string[], Confidence, readonly string[], string]>([
  [["tests pass"], "verified", [], "[LOOP] ✓ done: tests pass (verified)"],
  [["tests pass", "lint"], "weak", [NOBODY], `[LOOP] ✓ done: tests pass, lint (weak: ${NOBODY})`],
  [
    [],
    "unverified",
    ["no criterion says when it is done"],
    "[LOOP] ✓ done (unverified: no criterion says when it is done)",
  ],
  [["a\nb"], "weak", ["one\nline", "and another"], "[LOOP] ✓ done: a b (weak: one line; and another)"],
])("the end of %j, %s, in one line", (names, confidence, why, line) => {
  expect(completedLine(completed(names, confidence, why))).toBe(line);
});

test("what could not be tried is noted, although it makes nothing weak", () => {
  const detail = "it was not tried in a fresh place: there is none";
  const loop = loopWith(
    { goal: { criteria: [checked("tests")] } },
    ran("tests"),
    proofShown("tests", { kind: "repeat", detail }),
    { type: "loop.completed", confidence: "verified", why: [], changed: null },
  );
  if (loop.phase !== "completed") throw new Error("not completed");
  expect(completeText(loop).split("\n")).toContain(`Note: "tests": ${detail}`);
});

test("changes are counted by kind, and what is gone is named, as far as it fits", () => {
  expect(changesLine(CHANGED)).toEqual([
    "Changed: source 1, tests 2, definitions 1, deleted 6 (a, b, c, d, e and 1 more)",
  ]);
  expect(changesLine({ source: [], tests: [], definitions: [], deleted: [] })).toEqual([]);
  expect(changesLine(null)).toEqual([]);
});

test("the status says how sure a completion is, why, what it changed, and what was shown", () => {
  expect(statusView(completed(["tests"], "weak", [NOBODY]), null)).toMatchObject({
    confidence: "weak",
    why: [NOBODY],
    changed: CHANGED,
    criteria: [
      { name: "tests", proofs: [{ kind: "counts", result: "stands", detail: "2 more were skipped." }] },
    ],
    proofs: [{ kind: "holdout", result: "stands", detail: "totals" }],
  });
});

test("the status of a loop that is open knows nothing of its end", () => {
  expect(statusView(loopWith({}), null)).toMatchObject({
    confidence: null,
    why: null,
    changed: null,
    proofs: [],
  });
});
