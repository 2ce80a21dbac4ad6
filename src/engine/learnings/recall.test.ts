import { describe, expect, test } from "vitest";
import { familiarityFrom, relevantTo, wordsOf } from "./recall.ts";

const CART = {
  context: "Fix total() in src/cart.js until npm test passes",
  text: '"I multiply by the quantity" did not do it: afterwards "tests pass" failed (expected 12, got 3)',
};
const AUTH = {
  context: "Add validation to the auth endpoints",
  text: "Tokens without an expiry date are rejected by validateToken.",
};
const FLAKY = {
  context: "Speed up the search index",
  text: 'The check "e2e" is flaky: it gave two results for the same files.',
};
const ALL = [CART, AUTH, FLAKY];

describe("a spec recalls what is about the same", () => {
  test.each<readonly [spec: string, expected: readonly object[]]>([
    ["Round the total of the cart to two digits", [CART]],
    ["Let cart.js compute quantities and totals for gifts", [CART]],
    ["Validate tokens in src/auth/session.ts", [AUTH]],
    ["Make the e2e check stable", [FLAKY]],
    ["The searching of indexes is slow", [FLAKY]],
    // They only share words of any work.
    ["Fix the failing tests in src/calendar.js until npm test passes", []],
    ["Refactor the README", []],
    ["", []],
    ["the and of", []],
  ])("as the spec %j does", (spec, expected) => {
    expect(relevantTo(spec, ALL).map(({ learning }) => learning)).toEqual(expected);
  });

  test("more so the more they share", () => {
    const near = relevantTo("Fix total() in src/cart.js for gifts", ALL)[0]?.relevance ?? 0;
    const far =
      relevantTo("Put the logo beside the cart, above the menu of the shop", ALL)[0]?.relevance ?? 0;
    expect(near).toBeGreaterThan(far);
    expect(near).toBeLessThanOrEqual(1);
  });

  test("a word that few learnings have weighs more", () => {
    const about = (text: string): { context: string; text: string } => ({ context: "", text });
    const many = [about("cart gift wrapping"), about("cart colour palette"), about("cart menu layout")];
    const [first] = relevantTo("the palette of the cart", many).toSorted((a, b) => b.relevance - a.relevance);
    expect(first?.learning.text).toBe("cart colour palette");
  });

  test("huge texts are no trouble", () => {
    const text = "lorem ipsum ".repeat(200_000);
    expect(relevantTo(text, [{ context: text, text }])).toHaveLength(1);
  });
});

test.each<readonly [text: string, words: readonly string[]]>([
  ["validateTokens in src/authFlow.ts", ["validat", "token", "src", "auth", "flow", "ts"]],
  ["Queries, classes, boxes and caches", ["query", "class", "box", "cach"]],
  ["running, stopped, failing", ["run", "stop", "fail"]],
  ["größere Beträge 日本語", ["größer", "beträg", "日本語"]],
  ["__proto__ constructor", ["proto", "constructor"]],
])("the words of %s", (text, words) => {
  expect([...wordsOf(text)]).toEqual(words);
});

test("familiarity is two points for each learning, by its confidence, up to ten", () => {
  const times = (count: number, confidence: number): { confidence: number }[] =>
    Array.from({ length: count }, () => ({ confidence }));
  expect(familiarityFrom([])).toBe(0);
  expect(familiarityFrom(times(1, 0.5))).toBe(1);
  expect(familiarityFrom(times(3, 0.75))).toBe(5);
  expect(familiarityFrom(times(9, 1))).toBe(10);
});
