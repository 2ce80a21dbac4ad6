import { expect, test } from "vitest";
import { parsePrices } from "../../agents/cost/price.ts";
import { NO_USAGE } from "../../agents/cost/transcript.ts";
import { NO_BILL, type TurnReport } from "../../agents/drivers/driver.ts";
import { charge, countsOf, usageOf, redactReport, redactAgentEvent } from "./turn-report.ts";
import { redactor } from "../../system/secrets/redact.ts";

const { table } = parsePrices(
  JSON.stringify({
    models: {
      cheap: { input: 1, output: 2, cacheWrite5m: 1, cacheWrite1h: 1, cacheRead: 1 },
      dear: { input: 100, output: 200, cacheWrite5m: 100, cacheWrite1h: 100, cacheRead: 100 },
    },
  }),
);
const usage = { ...NO_USAGE, input: 1_000_000, output: 500_000 };

test("the agent's own figure goes before its tokens", () => {
  const spent = charge({ usd: 0.5, usage: [{ model: "cheap", usage }] }, table);

  expect(spent).toEqual({ usd: 0.5, tokens: 1_500_000, priced: true, cursor: null });
});

test("tokens have a price, and several models add up", () => {
  const { usd, priced } = charge(
    {
      usd: null,
      usage: [
        { model: "cheap", usage },
        { model: "dear", usage },
      ],
    },
    table,
  );

  expect(usd).toBeCloseTo(2 + 200, 10);
  expect(priced).toBe(true);
});

test("what has no price is at least as dear as the dearest, and said to be unknown", () => {
  const unknown = charge({ usd: null, usage: [{ model: "nobody knows it", usage }] }, table);
  const unnamed = charge({ usd: null, usage: [{ model: null, usage }] }, table);

  expect(unknown.priced).toBe(false);
  expect(unknown.usd).toBeGreaterThanOrEqual(200);
  expect(unnamed).toEqual(unknown);
});

test("an agent that tells nothing has not worked for nothing", () => {
  expect(charge(NO_BILL, table)).toMatchObject({ usd: 0, tokens: 0, priced: false });
});

test("the counts of a turn survive the journal", () => {
  expect(usageOf(countsOf(usage))).toEqual(usage);
  expect([countsOf(null), usageOf(null)]).toEqual([null, null]);
});

const redact = redactor({ EXAMPLE_API_KEY: "sk-live-ABCDEFGH1234" });
const PIECES = ["The key is sk-live-ABCD", "EFGH1234."];
const WHOLE = "The key is [EXAMPLE_API_KEY withheld].";

test("a secret that came in two pieces is taken out of what they make", () => {
  expect(PIECES.map(redact).join("")).toBe(PIECES.join(""));
  expect(redactAgentEvent({ type: "said", text: PIECES.join("") }, redact)).toEqual({
    type: "said",
    text: WHOLE,
  });
  const report: TurnReport = {
    trouble: { kind: "unknown", detail: PIECES.join("") },
    lastMessage: PIECES.join(""),
    conversation: null,
    toolUses: null,
    bill: NO_BILL,
    reportedUsd: null,
    denials: [{ tool: PIECES.join(""), rule: PIECES.join("") }],
  };
  expect(redactReport(report, redact)).toMatchObject({
    trouble: { detail: WHOLE },
    lastMessage: WHOLE,
    denials: [{ tool: WHOLE, rule: WHOLE }],
  });
});
