import type { Price, PriceTable, Rates } from "./price.ts";
import { PRICE_TABLE } from "./built-in-prices.ts";

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
