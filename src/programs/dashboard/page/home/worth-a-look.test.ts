import { expect, test } from "vitest";
import type { BoardRow } from "../../../../views/board.ts";
import { isWorthALook } from "./worth-a-look.ts";

const plan = { total: 1, merged: 1, words: "", cells: [], atWork: [], setbacks: 0 };
const weak = {
  group: "finished",
  phase: "completed",
  plan: null,
  confidence: "weak",
  deliveredTo: null,
} as const;

test.each<[string, Partial<BoardRow>, boolean]>([
  ["a plain loop that is weak", {}, true],
  ["one without any check", { confidence: "unverified" }, true],
  ["a verified one", { confidence: "verified" }, false],
  ["a cancelled one", { phase: "cancelled", confidence: null }, false],
  ["one that needs somebody", { group: "needs", phase: "paused", confidence: null }, false],
  ["a weak plan that is on a branch of its own", { plan }, false],
  ["a weak plan that is on the user's branch", { plan, deliveredTo: "main" }, true],
])("%s is worth a look: %j", (_, part, expected) => {
  expect(isWorthALook({ ...weak, ...part })).toBe(expected);
});
