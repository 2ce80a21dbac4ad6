import { expect, test } from "vitest";
import { NO_USAGE, type Usage } from "../../cost/transcript.ts";
import type { Bill } from "../driver.ts";
import type { JsonObject } from "../json-line.ts";
import { billOf, startCount, totalsFrom, usageFrom, type Totals } from "./bill.ts";

const use = (usage: Partial<Usage>, model = "claude-opus-4-8"): Bill["usage"][number] => ({
  model,
  usage: { ...NO_USAGE, ...usage },
});

test("the lines of one answer repeat its usage; the greatest of each field is what it used", () => {
  const count = startCount();
  expect(count.add("msg_1", "opus", { ...NO_USAGE, input: 10, output: 1 })).toBe(true);
  expect(count.add("msg_1", "opus", { ...NO_USAGE, input: 10, output: 1 })).toBe(false);
  expect(count.add("msg_2", "haiku", { ...NO_USAGE, input: 5 })).toBe(true);
  expect(count.add("msg_1", null, { ...NO_USAGE, input: 0, output: 70 })).toBe(true);
  expect(count.usage).toEqual([use({ input: 10, output: 70 }, "opus"), use({ input: 5 }, "haiku")]);
});

test("every field of a usage is read", () => {
  expect(
    usageFrom({
      input_tokens: 1,
      output_tokens: 2,
      cache_read_input_tokens: 4,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
      server_tool_use: { web_search_requests: 5 },
      inference_geo: "us",
      speed: "fast",
    }),
  ).toEqual({
    input: 1,
    output: 2,
    cacheWrite: 30,
    cacheWrite1h: 20,
    cacheRead: 4,
    webSearches: 5,
    inUs: true,
    fast: true,
  });
});

test("totals are read by model", () => {
  const model = { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 3, cacheCreationInputTokens: 4 };
  expect(totalsFrom({ total_cost_usd: 0.5, modelUsage: { opus: model, haiku: "?" } })).toEqual({
    usd: 0.5,
    usage: [use({ input: 1, output: 2, cacheRead: 3, cacheWrite: 4 }, "opus"), use({}, "haiku")],
    added: null,
  });
  expect(totalsFrom({ total_cost_usd: -1 })).toEqual({ usd: null, usage: [], added: null });
});

const TURN = [use({ input: 1000, output: 100 }), use({ input: 2000, output: 100 })];
const OF_TURN = [use({ input: 3000, output: 200 })];
/** The same, on top of five times as much before it. */
const OF_CONVERSATION = [use({ input: 18_000, output: 1200 })];

function totals(usd: number, usage: Bill["usage"], added: Totals["added"] = null): Totals {
  return { usd, usage, added };
}

test("a turn without a result is billed for what was seen of it", () => {
  expect(billOf(TURN, null, 1)).toEqual({ usd: null, usage: TURN });
});

test("a new conversation costs its total, with what the stream did not show", () => {
  const usage = [use({ input: 4000, output: 300 })];
  expect(billOf(TURN, totals(0.03, usage), null)).toEqual({ usd: 0.03, usage });
});

test.each([
  ["less than before", 0.2, 0.02],
  ["as much as before", 0.02, 0.02],
  ["somewhat more than before", 0.015, 0.02],
  ["far more than before", 0.001, 0.02],
])("a total that began anew with the turn is the turn's: %s", (_, reported, usd) => {
  expect(billOf(TURN, totals(usd, OF_TURN), reported)).toEqual({ usd, usage: OF_TURN });
});

test("of a total that goes on, the turn costs what is new", () => {
  const bill = billOf(TURN, totals(0.12, OF_CONVERSATION), 0.1);
  expect(bill.usd).toBeCloseTo(0.02, 10);
  expect(bill.usage).toEqual(TURN);
});

test("of a total that goes on, the turn costs what is new although tokens cost more before, on another model", () => {
  const before = [use({ input: 15_000, output: 1000 }, "claude-haiku-4-5"), ...OF_TURN];
  expect(billOf(TURN, totals(0.04, before), 0.02).usd).toBeCloseTo(0.02, 10);
});

test("of a total that goes on, the turn costs what is new although answers, which cost more than prompts, were long before", () => {
  const seen = [use({ input: 20_000 })];
  const bill = billOf(seen, totals(0.35, [use({ input: 20_000, output: 10_000 })]), 0.25);
  expect(bill.usd).toBeCloseTo(0.1, 10);
});

test("a turn in which no model was reached costs nothing, whatever was spent before", () => {
  expect(billOf([], totals(0.1, OF_CONVERSATION), 0.1)).toEqual({ usd: 0, usage: [] });
});

test("a turn with nothing to reckon with is billed too high rather than too low", () => {
  expect(billOf(TURN, totals(0.1, []), 0.08)).toEqual({ usd: 0.1, usage: TURN });
});

test("where the client says what its process has counted, that is the bill, whatever the totals hold", () => {
  const added = { usd: 0.02, usage: OF_TURN };
  const bills = [null, 0.05, 0.1, 0.2].map((reported) =>
    billOf(TURN, totals(0.12, OF_CONVERSATION, added), reported),
  );
  expect(bills).toEqual([added, added, added, added]);
  const nothing = { usd: 0, usage: [] };
  expect(billOf([], totals(0.12, OF_CONVERSATION, nothing), 0.05)).toEqual(nothing);
});

test("a client that says it has counted nothing is not believed against the answers", () => {
  const bill = billOf(TURN, totals(0.12, OF_CONVERSATION, { usd: 0, usage: [] }), 0.1);
  expect(bill.usd).toBeCloseTo(0.02, 10);
});

test("what is told without its price is not believed", () => {
  const told = (costUSD: unknown): JsonObject => ({
    total_cost_usd: 1,
    model_usage_since_last_result: { opus: { inputTokens: 5, costUSD } },
  });
  expect(totalsFrom(told(0.5)).added).toEqual({ usd: 0.5, usage: [use({ input: 5 }, "opus")] });
  expect(["1", -1, undefined].map((cost) => totalsFrom(told(cost)).added)).toEqual([null, null, null]);
  const huge = totalsFrom(told(1e308)).added;
  expect(totalsFrom(told(1e308), huge).added).toBeNull();
});

test("a result that says that nothing was spent is not believed against the answers", () => {
  expect(billOf(TURN, totals(0, []), 0.1)).toEqual({ usd: null, usage: TURN });
  expect(billOf([], totals(0, []), null)).toEqual({ usd: 0, usage: [] });
});
