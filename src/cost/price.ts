import { promptOf, type Usage } from "./usage.ts";

/** US dollars for a million tokens. */
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
  /** What fast mode multiplies the rates by; null where no fast mode is known. */
  readonly fast: number | null;
  /** US dollars for one search. */
  readonly webSearch: number;
}

export interface PriceTable {
  readonly date: string;
  /** By the name of a model, or by the beginning of names followed by `*`. */
  readonly models: ReadonlyMap<string, Price>;
}

interface FoundPrice {
  readonly known: boolean;
  readonly price: Price;
}

const MILLION = 1_000_000;
const US_FACTOR = 1.1;

/** An unknown price is never zero: it is the dearest known one, and said to be unknown. */
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
  const names = [model.toLowerCase(), bareName(model)];
  for (const name of names) {
    const exact = table.models.get(name);
    if (exact !== undefined) return exact;
  }
  let best: { readonly length: number; readonly price: Price } | null = null;
  for (const [pattern, price] of table.models) {
    if (!pattern.endsWith("*") || pattern.length <= (best?.length ?? 0)) continue;
    const beginning = pattern.slice(0, -1);
    if (names.some((name) => name.startsWith(beginning))) best = { length: pattern.length, price };
  }
  return best?.price ?? null;
}

/** `us.anthropic.claude-opus-4-5-20251101-v1:0`, `claude-opus-4-5@20251101` and `claude-opus-4.5[1m]` are one model. */
function bareName(model: string): string {
  const name = model.toLowerCase();
  return name
    .slice(Math.max(name.indexOf("claude-"), 0))
    .replace(/[[@:].*$/s, "")
    .replace(/-v\d{1,3}$/, "")
    .replace(/-(?:\d{8}|latest)$/, "")
    .replaceAll(".", "-");
}

function dearest(table: PriceTable, fast: boolean): Price {
  const prices = [...table.models.values()];
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
    webSearch: Math.max(0, ...prices.map((price) => price.webSearch)),
  };
}
