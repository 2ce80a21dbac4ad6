import { promptOf, type Usage } from "./usage.ts";

/** US dollars per million tokens. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly cacheRead: number;
}

export interface Price extends Rates {
  /** The rates of the whole request once its prompt has more tokens than `above`. */
  readonly long: (Rates & { readonly above: number }) | null;
  /** The factor of fast mode; null if no fast mode is known. */
  readonly fast: number | null;
  /** So far above the rest that it doesn't apply to models with an unknown price. */
  readonly exceptional: boolean;
  /** US dollars for one search. */
  readonly webSearch: number;
}

export interface PriceTable {
  readonly date: string;
  /** By model name, or by a prefix followed by `*`. */
  readonly models: ReadonlyMap<string, Price>;
}

interface FoundPrice {
  readonly known: boolean;
  readonly price: Price;
}

const MILLION = 1_000_000;
const US_FACTOR = 1.1;

/** An unknown price is never zero: it is the highest known one, marked as unknown. */
export function priceOf(model: string, table: PriceTable, fast = false): FoundPrice {
  const price = lookUp(model, table);
  if (price === null || (fast && price.fast === null)) return { known: false, price: dearest(table, fast) };
  return { known: true, price };
}

export function costOf(usage: Usage, price: Price): number {
  const rates = price.long !== null && promptOf(usage) > price.long.above ? price.long : price;
  const write1h = Math.min(usage.cacheWrite1h, usage.cacheWrite);
  const dollars =
    (usage.input * rates.input +
      usage.output * rates.output +
      (usage.cacheWrite - write1h) * rates.cacheWrite5m +
      write1h * rates.cacheWrite1h +
      usage.cacheRead * rates.cacheRead) /
    MILLION;
  const place = usage.inUs ? US_FACTOR : 1;
  const speed = usage.fast ? (price.fast ?? 1) : 1;
  return dollars * place * speed + usage.webSearches * price.webSearch;
}

function lookUp(model: string, table: PriceTable): Price | null {
  const { models } = table;
  const full = model.toLowerCase();
  const bare = bareName(model);
  const dashed = bare.replaceAll(".", "-");
  // A price for a provider (`my-gateway/*`) overrides one for the model.
  const ofProvider = (start: string): boolean => full.startsWith(start) && !bare.startsWith(start);
  return (
    models.get(full) ??
    longestStart(models, ofProvider) ??
    models.get(bare) ??
    models.get(dashed) ??
    longestStart(models, (start) => bare.startsWith(start) || dashed.startsWith(start))
  );
}

function longestStart(models: PriceTable["models"], matches: (start: string) => boolean): Price | null {
  let best: { readonly length: number; readonly price: Price } | null = null;
  for (const [pattern, price] of models) {
    if (!pattern.endsWith("*") || pattern.length <= (best?.length ?? 0)) continue;
    if (matches(pattern.slice(0, -1))) best = { length: pattern.length, price };
  }
  return best?.price ?? null;
}

/** Where a name starts after a provider, a region or a resource path. */
const VENDOR_NAME = /(?<=^|[/.])(?:(?:gpt|gemini)-\d|o\d)/;

/**
 * `us.anthropic.claude-opus-4-5-20251101-v1:0`, `claude-opus-4-5@20251101` and `claude-opus-4-5[1m]` are one model, and
 * so are `openai/gpt-5-2025-08-07` and `gpt-5`, or `models/gemini-2.5-pro-preview-06-05` and `gemini-2.5-pro`.
 */
function bareName(model: string): string {
  const name = model.toLowerCase();
  const claude = name.indexOf("claude-");
  const start = claude >= 0 ? claude : name.search(VENDOR_NAME);
  return name
    .slice(Math.max(start, 0))
    .replace(/[[@:].*$/s, "")
    .replace(/-v\d{1,3}$/, "")
    .replace(/-(?:\d{8}|\d{4}-\d\d-\d\d|latest)$/, "")
    .replace(/-preview(?:-customtools|-\d\d-\d{2,4})?$/, "");
}

function dearest(table: PriceTable, fast: boolean): Price {
  const prices = [...table.models.values()].filter((price) => !price.exceptional);
  const greatest = (of: (rates: Rates) => number): number =>
    Math.max(
      0,
      ...prices.flatMap((price) => {
        const factor = fast ? (price.fast ?? 1) : 1;
        return [of(price) * factor, price.long === null ? 0 : of(price.long) * factor];
      }),
    );
  return {
    input: greatest((rates) => rates.input),
    output: greatest((rates) => rates.output),
    cacheWrite5m: greatest((rates) => rates.cacheWrite5m),
    cacheWrite1h: greatest((rates) => rates.cacheWrite1h),
    cacheRead: greatest((rates) => rates.cacheRead),
    long: null,
    fast: null,
    exceptional: false,
    webSearch: Math.max(0, ...prices.map((price) => price.webSearch)),
  };
}
