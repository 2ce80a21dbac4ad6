import { describe, expect, it } from "vitest";
import { createLedger } from "../../cost/spend-cursor.ts";
import { NO_USAGE, tokensOf, type UsageRow, type Usage } from "../../cost/transcript.ts";
import { parseUsage } from "./transcript.ts";

function line(row: object = {}, message: object = {}): string {
  return JSON.stringify({
    type: "assistant",
    requestId: "req_1",
    timestamp: "2026-11-16T10:00:00.000Z",
    message: {
      id: "msg_1",
      model: "claude-opus-5",
      usage: { input_tokens: 3, output_tokens: 4 },
      ...message,
    },
    ...row,
  });
}

describe("parseUsage", () => {
  it("reads every field", () => {
    const usage = {
      input_tokens: 1,
      output_tokens: 2,
      cache_creation_input_tokens: 30,
      cache_read_input_tokens: 4,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
      server_tool_use: { web_search_requests: 5, web_fetch_requests: 6 },
      inference_geo: "us",
      speed: "fast",
    };
    expect(parseUsage(line({ isSidechain: true }, { usage }))).toEqual([
      {
        message: "msg_1",
        request: "req_1",
        at: Date.UTC(2026, 10, 16, 10),
        model: "claude-opus-5",
        usage: {
          input: 1,
          output: 2,
          cacheWrite: 30,
          cacheWrite1h: 20,
          cacheRead: 4,
          webSearches: 5,
          inUs: true,
          fast: true,
        },
      },
    ]);
  });

  it("takes the parts of cache writes where their sum is missing", () => {
    const usage = { cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 } };
    expect(parseUsage(line({}, { usage }))[0]?.usage).toMatchObject({ cacheWrite: 30, cacheWrite1h: 20 });
  });

  it("gives an advisor inside the message a row of its own", () => {
    const usage = {
      input_tokens: 4,
      iterations: [
        { type: "message", input_tokens: 4 },
        { type: "advisor_message", model: "claude-opus-4-8", input_tokens: 900, output_tokens: 300 },
        null,
      ],
    };
    expect(parseUsage(line({}, { usage }))).toMatchObject([
      { message: "msg_1", usage: { input: 4 } },
      { message: "msg_1+0", model: "claude-opus-4-8", usage: { input: 900, output: 300 } },
    ]);
  });

  it.each([
    ["an unknown type", line({ type: "cost-state", totalCostUSD: 9 })],
    [
      "a user row whose tool result names a usage",
      line({ type: "user", toolUseResult: { usage: {}, role: "assistant" } }),
    ],
    ["a synthetic model", line({}, { model: "<synthetic>" })],
    ["an API error", line({ isApiErrorMessage: true })],
    ["no usage", line({}, { usage: undefined, note: "usage" })],
    ["a usage of another form", line({}, { usage: [1] })],
    ["no message", line({ message: null, usage: {} })],
    ["nothing to know it by", line({ requestId: undefined }, { id: undefined })],
    ["a cut line", line().slice(0, -1)],
    ["garbage", '\u0000"usage" "assistant"'],
    ["an empty line", ""],
    ["JSON that is no object", '["usage","assistant"]'],
  ])("takes nothing from %s", (_, text) => {
    expect(parseUsage(text)).toEqual([]);
  });

  it("tolerates a carriage return, a missing model and time, and numbers that are none", () => {
    const text = line(
      { timestamp: "soon" },
      { model: 7, usage: { input_tokens: "9", output_tokens: -1, cache_read_input_tokens: 1.5 } },
    );
    expect(parseUsage(`${text}\r`)).toMatchObject([{ model: "", at: null, usage: NO_USAGE }]);
  });

  it("keeps a sum of absurd numbers a whole number", () => {
    const usage = { input_tokens: Number.MAX_SAFE_INTEGER, output_tokens: Number.MAX_SAFE_INTEGER };
    const [row] = parseUsage(line({}, { usage }));
    expect(Number.isSafeInteger(1000 * tokensOf(row?.usage ?? NO_USAGE))).toBe(true);
  });
});

function row(message: string, usage: Partial<Usage>, other: Partial<UsageRow> = {}): UsageRow {
  return {
    message,
    request: "req_1",
    at: 0,
    model: "claude-opus-5",
    usage: { ...NO_USAGE, ...usage },
    ...other,
  };
}

describe("createLedger", () => {
  it("counts the greatest of each field, and says what it grew from", () => {
    const ledger = createLedger([]);
    ledger.count(row("msg_1", { input: 10, output: 1 }), false);
    expect(ledger.count(row("msg_1", { input: 8, output: 5, inUs: true }), false)).toEqual({
      before: { ...NO_USAGE, input: 10, output: 1 },
      after: { ...NO_USAGE, input: 10, output: 5, inUs: true },
    });
  });

  it("tells messages apart by their request", () => {
    const ledger = createLedger([]);
    ledger.count(row("msg_1", { input: 10 }), false);
    expect(ledger.count(row("msg_1", { input: 10 }, { request: "req_2" }), false).before).toEqual(NO_USAGE);
    expect(ledger.count(row("msg_1", { input: 10 }), false).before.input).toBe(10);
    expect(ledger.count(row("msg_1", { input: 10 }, { request: "" }), false).before.input).toBe(10);
  });

  it("knows a subagent's copy by the message alone, in either order", () => {
    for (const ofSubagent of [true, false]) {
      const ledger = createLedger([]);
      ledger.count(row("msg_1", { input: 10 }), ofSubagent);
      const copy = row("msg_1", { input: 10 }, { request: "req_2" });
      expect(ledger.count(copy, !ofSubagent).before.input).toBe(10);
    }
  });

  it("goes on from what was counted", () => {
    const first = createLedger([]);
    first.count(
      row("msg_011CeDeLFH2PtqYQCnyAgb1v", { input: 10 }, { request: "req_011CeDeLFGtqYQCnyAgb1v" }),
      false,
    );
    const second = createLedger(first.latest(1));
    const again = row(
      "msg_011CeDeLFH2PtqYQCnyAgb1v",
      { input: 12 },
      { request: "req_011CeDeLFGtqYQCnyAgb1v" },
    );
    expect(second.count(again, false)).toMatchObject({ before: { input: 10 }, after: { input: 12 } });
  });

  it("keeps the latest by their time, not by the order of reading", () => {
    const ledger = createLedger([]);
    ledger.count(row("late", { input: 1 }, { at: 30 }), false);
    ledger.count(row("early", { input: 1 }, { at: 10 }), false);
    ledger.count(row("middle", { input: 1 }, { at: 20 }), false);
    expect(ledger.latest(2).map((each) => each.message)).toEqual(["middle", "late"]);
  });
});
