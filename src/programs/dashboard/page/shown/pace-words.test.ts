import { expect, test } from "vitest";
import { paceWords, type Live } from "./pace-words.ts";

const NOON = Date.parse("2026-03-01T12:00:00Z");
const MINUTE = 60_000;
const at = (minutes: number): string => new Date(NOON + minutes * MINUTE).toISOString();
const working: Live = { doing: "working", tool: null, since: at(0), heardAt: at(0) };

test("an agent at work is told apart from one that hangs by when it last printed something", () => {
  expect(paceWords({ ...working, heardAt: at(5) }, NOON + 5 * MINUTE)).toBe("");
  expect(paceWords({ ...working, heardAt: at(2) }, NOON + 5 * MINUTE)).toBe(
    "; it last printed something 3 min ago",
  );
  expect(paceWords(working, NOON + 5 * MINUTE)).toBe("; it has printed nothing since");
  expect(paceWords({ ...working, heardAt: null }, NOON + 5 * MINUTE)).toBe("");
});

test("a check says how long it took last time, where that is known", () => {
  const checking: Live = { ...working, doing: "checking", heardAt: null };
  expect(paceWords({ ...checking, usualMs: 90_000 }, NOON)).toBe("; it took 2 min last time");
  expect(paceWords(checking, NOON)).toBe("");
});
