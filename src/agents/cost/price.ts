import { promptOf, type Usage } from "./transcript.ts";
import { PRICE_TABLE } from "./built-in-prices.ts";

/** US dollars per million tokens. */
interface Rates {
  readonly input: number;
  readonly output: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly cacheRead: number;
}

interface Price extends Rates {
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

interface ParsedPrices {
  readonly table: PriceTable;
  /** What could not be parsed, one sentence each; the built-in price applies there. */
  readonly problems: readonly string[];
}

const LONGEST_NAME = 100;

/** The built-in table with a user's own file over it: each of their entries replaces ours completely. */
export function parsePrices(userJson: string | null): ParsedPrices {
  const problems: string[] = [];
  const models = new Map<string, Price>();
  addModels(models, PRICE_TABLE.models, PRICE_TABLE.webSearch, problems);
  const user = userJson === null ? {} : objectFrom(userJson);
  if (user === null) {
    return { table: { date: PRICE_TABLE.date, models }, problems: ["The price file is not a JSON object."] };
  }
  const webSearch = user["webSearch"] ?? PRICE_TABLE.webSearch;
  if (!isAmount(webSearch)) problems.push("webSearch is not a number of dollars.");
  const perSearch = isAmount(webSearch) ? webSearch : PRICE_TABLE.webSearch;
  for (const [name, price] of models) models.set(name, { ...price, webSearch: perSearch });
  addModels(models, user["models"] ?? {}, perSearch, problems);
  const date = user["date"];
  return {
    table: { date: typeof date === "string" ? date.slice(0, 40) : PRICE_TABLE.date, models },
    problems,
  };
}

function addModels(
  models: Map<string, Price>,
  entries: unknown,
  webSearch: number,
  problems: string[],
): void {
  if (!isObject(entries)) {
    problems.push("models is not an object of model names.");
    return;
  }
  for (const [name, entry] of Object.entries(entries)) {
    const price = isName(name) ? priceFrom(entry, webSearch) : null;
    if (price === null) problems.push(`The price of "${name.slice(0, LONGEST_NAME)}" cannot be parsed.`);
    else models.set(name.toLowerCase(), price);
  }
}

function isName(name: string): boolean {
  return name.length > 0 && name.length <= LONGEST_NAME && !name.slice(0, -1).includes("*");
}

function priceFrom(entry: unknown, webSearch: number): Price | null {
  const rates = ratesFrom(entry);
  if (rates === null || !isObject(entry)) return null;
  const { long, fast, exceptional = false } = entry;
  if (fast !== undefined && !isAmount(fast)) return null;
  if (typeof exceptional !== "boolean") return null;
  const rest = { fast: fast ?? null, exceptional, webSearch };
  if (long === undefined) return { ...rates, long: null, ...rest };
  const longRates = ratesFrom(long);
  if (longRates === null || !isObject(long) || !isAmount(long["above"])) return null;
  return { ...rates, long: { ...longRates, above: long["above"] }, ...rest };
}

/** If only `input` and `output` are given, the cache costs Anthropic's usual multiples of `input`. */
function ratesFrom(entry: unknown): Rates | null {
  if (!isObject(entry)) return null;
  const { input, output } = entry;
  if (!isAmount(input) || !isAmount(output)) return null;
  const { cacheWrite5m = input * 1.25, cacheWrite1h = input * 2, cacheRead = input * 0.1 } = entry;
  if (!isAmount(cacheWrite5m) || !isAmount(cacheWrite1h) || !isAmount(cacheRead)) return null;
  return { input, output, cacheWrite5m, cacheWrite1h, cacheRead };
}

function objectFrom(json: string): { readonly [key: string]: unknown } | null {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
