import { describe, expect, it } from "vitest";
import { parsePrices, costOf, priceOf } from "./price.ts";
import { NO_USAGE, type Usage } from "./transcript.ts";

const { table } = parsePrices(null);

function cost(model: string, usage: Partial<Usage>): number {
  const full = { ...NO_USAGE, ...usage };
  return costOf(full, priceOf(model, table, full.fast).price);
}

describe("priceOf", () => {
  it.each([
    ["claude-sonnet-5", 2, 10, 0.2],
    ["claude-sonnet-5-5", 2, 10, 0.1],
    ["claude-sonnet-4-20250514", 3, 15, 0.3],
    ["claude-sonnet-4-5-20250929", 3, 15, 0.3],
    ["claude-opus-4-20250514", 15, 75, 1.5],
    ["claude-opus-4-1-20250805", 15, 75, 1.5],
    ["claude-opus-4-5-20251101", 5, 25, 0.5],
    ["claude-opus-5[1m]", 5, 25, 0.5],
    ["claude-opus-5-5", 4, 20, 0.2],
    ["claude-fable-5-1", 10, 50, 0.25],
    ["claude-3-5-haiku-20241022", 0.8, 4, 0.08],
    ["claude-haiku-4-5-20251001", 1, 5, 0.1],
    ["claude-haiku-5-5", 0.1, 0.5, 0.01],
    ["us.anthropic.claude-opus-4-5-20251101-v1:0", 5, 25, 0.5],
    ["claude-opus-4-1@20250805", 15, 75, 1.5],
    ["anthropic/claude-opus-5.5", 4, 20, 0.2],
    ["Claude-Sonnet-5", 2, 10, 0.2],
    ["gpt-5", 1.25, 10, 0.125],
    ["gpt-5-2025-08-07", 1.25, 10, 0.125],
    ["openai/gpt-5-codex", 1.25, 10, 0.125],
    ["openrouter/openai/gpt-5-mini:batch", 0.25, 2, 0.025],
    ["azure/gpt-5-nano", 0.05, 0.4, 0.005],
    ["gpt-5.1", 1.25, 10, 0.125],
    ["gpt-5-1-codex-mini", 0.25, 2, 0.025],
    ["gpt-5.1-codex-max", 1.25, 10, 0.125],
    ["gpt-5.2-codex", 1.75, 14, 0.175],
    ["gpt-5.3-codex", 1.75, 14, 0.175],
    ["gpt-5.4-mini-2026-03-17", 0.75, 4.5, 0.075],
    ["gpt-5.5", 5, 30, 0.5],
    ["gpt-5.5-pro", 30, 180, 30],
    ["gpt-5.6", 5, 30, 0.5],
    ["global.openai.gpt-5-6-luna-20260709-v1:0", 0.2, 1.2, 0.02],
    ["gpt-6-astra", 10, 50, 1],
    ["gpt-6.1-sol", 2, 10, 0.1],
    ["gpt-4.1-mini", 0.4, 1.6, 0.1],
    ["o3", 2, 8, 0.5],
    ["openai/o3-2025-04-16", 2, 8, 0.5],
    ["o4-mini", 1.1, 4.4, 0.275],
    ["gemini-2.5-pro", 1.25, 10, 0.125],
    ["gemini-2.5-pro-preview-06-05", 1.25, 10, 0.125],
    ["models/gemini-2.5-flash", 0.3, 2.5, 0.03],
    ["gemini-2.5-flash-lite-preview-09-2025", 0.1, 0.4, 0.01],
    ["google/gemini-3-pro-preview", 2, 12, 0.2],
    ["gemini-3.1-pro-preview-customtools", 2, 12, 0.2],
    ["publishers/google/models/gemini-3.5-flash", 1.5, 9, 0.15],
  ])("knows %s", (model, input, output, cacheRead) => {
    expect(priceOf(model, table)).toMatchObject({ known: true, price: { input, output, cacheRead } });
  });

  it.each([
    "claude-opus-6",
    "claude-opus-5-7",
    "gpt-6",
    "gpt-5-preprod",
    "gpt-5.9",
    "gpt-oss-120b",
    "my-gpt-5",
    "foo3",
    "gemini-2.5-pro-exotic",
    "gemini-flash-latest",
    "",
    "claude-",
    "openai/",
  ])("takes the dearest known price for %j, exceptional ones left out", (model) => {
    const { known, price } = priceOf(model, table);
    expect(known).toBe(false);
    expect(price).toMatchObject({
      input: 20,
      output: 75,
      cacheWrite5m: 25,
      cacheWrite1h: 30,
      cacheRead: 2,
    });
    expect(price.webSearch).toBe(0.01);
  });

  it("takes a provider's price before the model's, and the model's before a beginning of its name", () => {
    const { table } = parsePrices(
      JSON.stringify({
        models: {
          "my-gateway/*": { input: 1, output: 1 },
          "gpt-5.1": { input: 2, output: 2 },
          "gpt-*": { input: 3, output: 3 },
          "*": { input: 4, output: 4 },
        },
      }),
    );
    const input = (model: string): number => priceOf(model, table).price.input;
    expect(input("my-gateway/gpt-5")).toBe(1);
    expect(input("my-gateway/claude-opus-5")).toBe(1);
    expect(input("openai/gpt-5.1")).toBe(2);
    expect(input("openai/gpt-5-mini")).toBe(0.25);
    expect(input("openai/gpt-9")).toBe(3);
    expect(input("unheard-of")).toBe(4);
  });

  it("does not know the price of a fast mode that a model is not known to have", () => {
    expect(priceOf("claude-haiku-4-5", table, true)).toMatchObject({
      known: false,
      price: { input: 30, output: 150 },
    });
  });
});

describe("costOf", () => {
  it("prices each kind of token", () => {
    const million = 1_000_000;
    expect(cost("claude-sonnet-5", { input: million })).toBeCloseTo(2);
    expect(cost("claude-sonnet-5", { output: million })).toBeCloseTo(10);
    expect(cost("claude-sonnet-5", { cacheRead: million })).toBeCloseTo(0.2);
    expect(cost("claude-sonnet-5", { cacheWrite: million })).toBeCloseTo(2.5);
    expect(cost("claude-sonnet-5", { cacheWrite: million, cacheWrite1h: million })).toBeCloseTo(4);
    expect(cost("claude-sonnet-5", { cacheWrite: million, cacheWrite1h: million / 4 })).toBeCloseTo(2.875);
  });

  it("never prices more hour-long writes than there are writes", () => {
    expect(cost("claude-sonnet-5", { cacheWrite: 10, cacheWrite1h: 1_000_000 })).toBeCloseTo(0.00004);
  });

  it("takes the long row for the whole request, from the first token past the threshold", () => {
    const prompt = { input: 50_000, cacheRead: 25_000, cacheWrite: 25_000, output: 1_000 };
    expect(cost("claude-haiku-5-5", prompt)).toBeCloseTo((5_000 + 250 + 3_125 + 500) / 1_000_000, 12);
    const longer = { ...prompt, input: 50_001 };
    expect(cost("claude-haiku-5-5", longer)).toBeCloseTo((25_000.5 + 1_250 + 15_625 + 2_500) / 1_000_000, 12);
  });

  it("knows the long rows of the others", () => {
    expect(cost("gemini-2.5-pro", { input: 200_000 })).toBeCloseTo(0.25, 12);
    expect(cost("gemini-2.5-pro", { input: 200_000, cacheRead: 1_000_000 })).toBeCloseTo(0.75, 12);
    expect(cost("gpt-5.4", { input: 272_001, output: 1_000 })).toBeCloseTo(1.382505, 12);
  });

  it("prices a cache write as input where writing costs nothing more", () => {
    expect(cost("gpt-5", { cacheWrite: 1_000_000 })).toBeCloseTo(1.25);
    expect(cost("gpt-6-luna", { cacheWrite: 100_000 })).toBeCloseTo(0.0125);
    expect(cost("gemini-2.5-flash", { cacheWrite: 1_000_000 })).toBeCloseTo(0.3);
  });

  it("does not count the answer as prompt", () => {
    expect(cost("claude-haiku-5-5", { input: 100_000, output: 50_000 })).toBeCloseTo(0.035, 12);
  });

  it("adds a tenth for tokens used in the United States, not for searches", () => {
    const usage = { input: 1_000_000, webSearches: 10 };
    expect(cost("claude-sonnet-5", usage)).toBeCloseTo(2.1);
    expect(cost("claude-sonnet-5", { ...usage, inUs: true })).toBeCloseTo(2.3);
  });

  it("multiplies in fast mode", () => {
    expect(cost("claude-opus-5-5", { input: 1_000_000, fast: true })).toBeCloseTo(8);
    expect(cost("claude-opus-4-6", { output: 1_000_000, fast: true })).toBeCloseTo(150);
  });
});

describe("parsePrices", () => {
  it("is dated, and understands every row of its own file", () => {
    const { table, problems } = parsePrices(null);
    expect(problems).toEqual([]);
    expect(table.date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });

  it("puts a user's entries over the built-in ones, whole", () => {
    const { table, problems } = parsePrices(
      JSON.stringify({
        date: "2027-01-01",
        webSearch: 0.02,
        models: {
          "claude-opus-5": { input: 1, output: 2 },
          "Local/*": { input: 0, output: 0, cacheRead: 0 },
          "mad-model": { input: 900, output: 900, exceptional: true },
          "local/big*": { input: 7, output: 8, long: { above: 10, input: 70, output: 80 }, fast: 3 },
        },
      }),
    );
    expect(problems).toEqual([]);
    expect(table.date).toBe("2027-01-01");
    expect(priceOf("claude-opus-5", table).price).toEqual({
      input: 1,
      output: 2,
      cacheWrite5m: 1.25,
      cacheWrite1h: 2,
      cacheRead: 0.1,
      long: null,
      fast: null,
      exceptional: false,
      webSearch: 0.02,
    });
    expect(priceOf("claude-sonnet-5", table).price).toMatchObject({ input: 2, webSearch: 0.02 });
    expect(priceOf("local/small:8b", table)).toMatchObject({ known: true, price: { input: 0, output: 0 } });
    expect(priceOf("local/bigger", table).price).toMatchObject({
      input: 7,
      long: { above: 10, cacheWrite5m: 87.5 },
    });
    expect(priceOf("mad-model", table)).toMatchObject({ known: true, price: { input: 900 } });
    expect(priceOf("unheard-of", table).price).toMatchObject({ input: 70, output: 80 });
  });

  it.each([
    ["not json", "{", ["The price file is not a JSON object."]],
    ["a list", "[]", ["The price file is not a JSON object."]],
    ["models of another form", '{"models":[]}', ["models is not an object of model names."]],
    ["a negative price", '{"models":{"x":{"input":-1,"output":1}}}', ['The price of "x" cannot be parsed.']],
    ["a price as text", '{"models":{"x":{"input":"1","output":1}}}', ['The price of "x" cannot be parsed.']],
    ["no price of the answer", '{"models":{"x":{"input":1}}}', ['The price of "x" cannot be parsed.']],
    [
      "a star inside a name",
      '{"models":{"a*b":{"input":1,"output":1}}}',
      ['The price of "a*b" cannot be parsed.'],
    ],
    [
      "a long row without its threshold",
      '{"models":{"x":{"input":1,"output":1,"long":{"input":1,"output":1}}}}',
      ['The price of "x" cannot be parsed.'],
    ],
    [
      "an exception as text",
      '{"models":{"x":{"input":1,"output":1,"exceptional":"no"}}}',
      ['The price of "x" cannot be parsed.'],
    ],
    ["searches as text", '{"webSearch":"free"}', ["webSearch is not a number of dollars."]],
  ])("keeps the built-in table and says what is wrong: %s", (_, text, problems) => {
    const parsed = parsePrices(text);
    expect(parsed.problems).toEqual(problems);
    expect([...parsed.table.models]).toEqual([...parsePrices(null).table.models]);
  });

  it("leaves no trace of a name that means something to JavaScript", () => {
    const { table } = parsePrices(
      '{"models":{"__proto__":{"input":1,"output":1},"constructor":{"input":2,"output":2}}}',
    );
    expect(priceOf("__proto__", table).price.input).toBe(1);
    expect(priceOf("toString", table).known).toBe(false);
  });
});
