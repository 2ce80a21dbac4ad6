import { describe, expect, test } from "vitest";
import type { LearningKind } from "../../core/loop/recall.ts";
import { addUp, strengthOf, idOf, keepable, learnedLine, markLine, parseLine } from "./learning.ts";
import type { Line } from "./learning.ts";

const NOW = Date.UTC(2026, 0, 5);
const DAY = 24 * 3_600_000;
const PROJECT = "/work/shop";
const LESSON = {
  kind: "failure",
  context: "Fix the cart",
  text: "Rounding each item did not do it.",
  confidence: 0.5,
} as const;
const ID = idOf(LESSON);

function seen(loop: string | null, now = NOW, project = PROJECT): Line {
  return learnedLine(LESSON, { project, loop, now });
}

describe("lines add up", () => {
  test("the same line twice changes nothing, and neither does the same loop", () => {
    const once = addUp(PROJECT, [seen("a")]);
    expect(once.learnings).toMatchObject([{ id: ID, ...LESSON, at: NOW, project: PROJECT }]);
    expect(addUp(PROJECT, [seen("a"), seen("a"), seen("a", NOW + DAY)])).toEqual(once);
  });

  test("another loop that learns the same makes it surer and newer", () => {
    expect(addUp(PROJECT, [seen("a"), seen("b", NOW + DAY)]).learnings).toMatchObject([
      { confidence: 0.6, at: NOW + DAY },
    ]);
  });

  test("a confirmation raises the confidence, a dismissal lowers it and is remembered", () => {
    const confirmed = addUp(PROJECT, [seen("a"), markLine(ID, "confirmed", NOW + 1)]);
    expect(confirmed.learnings[0]?.confidence).toBe(0.75);
    const dismissed = addUp(PROJECT, [seen("a"), markLine(ID, "dismissed", NOW + 1), seen("b", NOW + DAY)]);
    expect(dismissed.dismissed.has(ID)).toBe(true);
    expect(dismissed.learnings[0]?.confidence).toBeLessThan(0.5);
  });

  test("the last word counts, in whatever order the lines are", () => {
    const lines = [markLine(ID, "confirmed", NOW + 2), seen("a"), markLine(ID, "dismissed", NOW + 1)];
    expect([...addUp(PROJECT, lines).dismissed]).toEqual([]);
  });

  test("what is forgotten stays so for loops, until a person says it again", () => {
    const forgotten = [seen("a"), markLine(ID, "forgotten", NOW + 1), seen("b", NOW + DAY)];
    expect(addUp(PROJECT, forgotten).learnings).toEqual([]);
    expect(addUp(PROJECT, [...forgotten, seen(null, NOW + 2 * DAY)]).learnings).toHaveLength(1);
  });

  test("a line of another project doesn't count", () => {
    expect(addUp(PROJECT, [seen("a", NOW, "/work/other")]).learnings).toEqual([]);
  });
});

test.each<readonly [title: string, text: string]>([
  ["no JSON", "{"],
  ["null", "null"],
  ["a list", "[]"],
  ["an unknown kind", JSON.stringify({ ...seen("a"), kind: "gossip" })],
  ["a confidence beyond 1", JSON.stringify({ ...seen("a"), confidence: 2 })],
  ["a time that is none", JSON.stringify({ ...seen("a"), time: "yesterday" })],
  ["an id that is a path", JSON.stringify({ ...seen("a"), id: "../../etc" })],
  ["an unknown mark", JSON.stringify({ id: ID, mark: "praised", time: new Date(NOW).toISOString() })],
])("%s is not a line", (_, text) => {
  expect(parseLine(text)).toBeNull();
});

test("a line has nothing that isn't ours, whatever else it says", () => {
  const text = JSON.stringify(seen("a")).replace("{", '{"__proto__":{"kind":"x"},"constructor":1,');
  expect(Object.keys(parseLine(text) ?? {})).toEqual(Object.keys(seen("a")));
});

test("what is kept is one short line without control characters and secrets", () => {
  const lesson = {
    kind: "discovery" as LearningKind,
    context: `c\n${"x".repeat(1000)}`,
    text: "the \u001b[31mtoken\u001b[0m\nis hunter2",
    confidence: 7,
  };
  const kept = keepable(lesson, (text) => text.replaceAll("hunter2", "[withheld]"));
  expect(kept).toMatchObject({ text: "the token is [withheld]", confidence: 1 });
  expect(kept.context).toHaveLength(200);
});

test("half a year halves what a learning counts", () => {
  expect(strengthOf({ confidence: 0.8, at: NOW }, NOW)).toBe(0.8);
  expect(strengthOf({ confidence: 0.8, at: NOW }, NOW + 180 * DAY)).toBe(0.4);
  expect(strengthOf({ confidence: 0.8, at: NOW + DAY }, NOW)).toBe(0.8);
});
