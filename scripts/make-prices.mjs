// Writes src/agents/cost/built-in-prices.ts from the prices of a pinned package; with --print, shows it instead.
import { readFileSync, writeFileSync } from "node:fs";
import { findProvider } from "@pydantic/genai-prices";
import { format } from "oxfmt";

const SOURCE = { name: "@pydantic/genai-prices", version: "0.1.8", published: "2026-09-23" };
/** When the rows below were last compared with what the vendors say. */
const COMPARED = "2026-11-16";
const TABLE = "src/agents/cost/built-in-prices.ts";

/** The models that coding agents run on, by the source's name of their vendor. */
const MODELS = {
  anthropic:
    "claude-fable-5-1 claude-mythos-5-1 claude-fable-5 claude-mythos-5 claude-opus-5-5 claude-opus-5 claude-opus-4-8 claude-opus-4-7 claude-opus-4-6 claude-opus-4-5 claude-opus-4-1 claude-opus-4-0 claude-opus-4 claude-3-opus claude-sonnet-5-5 claude-sonnet-5 claude-sonnet-4* claude-3-7-sonnet claude-3-5-sonnet claude-haiku-5-5 claude-haiku-4-5 claude-3-5-haiku claude-haiku-3-5",
  openai:
    "gpt-6-1-sol gpt-6-1-terra gpt-6-astra gpt-6-sol gpt-6-luna gpt-5-6 gpt-5-6-sol gpt-5-6-terra gpt-5-6-luna gpt-5-5 gpt-5-5-pro gpt-5-4 gpt-5-4-mini gpt-5-4-nano gpt-5-4-pro gpt-5-3-codex gpt-5-2 gpt-5-2-codex gpt-5-2-pro gpt-5-1 gpt-5-1-codex gpt-5-1-codex-max gpt-5-1-codex-mini gpt-5 gpt-5-codex gpt-5-mini gpt-5-nano gpt-5-pro gpt-4-1 gpt-4-1-mini gpt-4-1-nano o3 o3-pro o4-mini",
  google:
    "gemini-3-8-flash gemini-3-7-flash gemini-3-6-flash gemini-3-5-flash gemini-3-5-flash-lite gemini-3-1-pro gemini-3-1-flash-lite gemini-3-pro gemini-3-flash gemini-2-5-pro gemini-2-5-flash gemini-2-5-flash-lite",
};

/** What the source calls a model, where that is not its name here with a dot in its version. */
const IDS = {
  // One model under two names; the source describes the rates of both, and lists one.
  "claude-mythos-5-1": "claude-fable-5-1",
  "claude-mythos-5": "claude-fable-5",
  "claude-opus-4": "claude-opus-4-0",
  "claude-3-opus": "claude-3-opus-latest",
  // One price for all of them, as in Claude Code's own table; the source has other rates for long prompts of Sonnet 4.5.
  "claude-sonnet-4*": "claude-sonnet-4-0",
  "claude-3-7-sonnet": "claude-3-7-sonnet-latest",
  "claude-3-5-haiku": "claude-3-5-haiku-latest",
  "claude-haiku-3-5": "claude-3-5-haiku-latest",
  // The source matches these names in the rows of the plain models.
  "gpt-5-2-codex": "gpt-5.2",
  "gpt-5-1-codex": "gpt-5.1",
  "gpt-5-1-codex-max": "gpt-5.1",
  "gpt-5-codex": "gpt-5",
  "gemini-3-1-pro": "gemini-3.1-pro-preview",
  "gemini-3-pro": "gemini-3-pro-preview",
  "gemini-3-flash": "gemini-3-flash-preview",
};

const GPT_5_6_SOL = {
  ...rates(5, 30, 6.25, 6.25, 0.5),
  long: { above: 271_999, ...rates(10, 45, 12.5, 12.5, 1) },
};

/** Rows that the source lacks or has otherwise than we charge. Once it agrees, the row goes. */
const BY_HAND = {
  // Newer than the source. From Claude Code 2.1.325's own table and platform.claude.com, 2026-11-13.
  "claude-sonnet-5-5": rates(2, 10, 2.5, 4, 0.1),
  "claude-haiku-5-5": {
    ...rates(0.1, 0.5, 0.125, 0.2, 0.01),
    long: { above: 100_000, ...rates(0.5, 2.5, 0.625, 1, 0.05) },
  },
  // Newer than the source. From developers.openai.com/api/docs/pricing, by way of models.dev and litellm, 2026-11.
  "gpt-6-1-sol": {
    ...rates(2, 10, 2.5, 2.5, 0.1),
    long: { above: 272_000, ...rates(4, 15, 5, 5, 0.2) },
  },
  "gpt-6-1-terra": {
    ...rates(1, 5, 1.25, 1.25, 0.05),
    long: { above: 272_000, ...rates(2, 7.5, 2.5, 2.5, 0.1) },
  },
  // The source has $4 and $20 from 2026-08-21 on: a promotion. A budget counts with the rates that come back.
  "gpt-5-6": GPT_5_6_SOL,
  "gpt-5-6-sol": GPT_5_6_SOL,
};

/** The source has no fast mode. From Claude Code 2.1.325's own table, 2026-11-13. */
const FAST = {
  "claude-opus-5-5": 2,
  "claude-opus-5": 2,
  "claude-opus-4-8": 2,
  "claude-opus-4-7": 6,
  "claude-opus-4-6": 6,
};

/** So far above the rest that they are no measure for a model whose price is unknown. */
const EXCEPTIONAL = new Set(["gpt-5-5-pro", "gpt-5-4-pro", "gpt-5-2-pro", "gpt-5-pro", "o3-pro"]);

const text = await tableText();
if (process.argv.includes("--print")) process.stdout.write(text);
else writeFileSync(TABLE, text);

async function tableText() {
  const installed = JSON.parse(readFileSync(`node_modules/${SOURCE.name}/package.json`, "utf8")).version;
  if (installed !== SOURCE.version) {
    throw new Error(
      `${SOURCE.name} ${installed} is installed; say in ${import.meta.filename} when it was published`,
    );
  }
  const rows = Object.entries(MODELS).flatMap(([vendor, names]) =>
    names.split(" ").map((name) => [name, priceOf(vendor, name)]),
  );
  const table = { date: COMPARED, webSearch: webSearch(), models: Object.fromEntries(rows) };
  const { code, errors } = await format(
    TABLE,
    `// Made by scripts/make-prices.mjs from ${SOURCE.name} ${SOURCE.version}, published ${SOURCE.published}, and its own rows of ${COMPARED}.
// Do not edit: change the script, then run \`npm run prices\`.

/** US dollars for a million tokens; \`webSearch\` for one search. */
export const PRICE_TABLE = ${JSON.stringify(table)};
`,
    JSON.parse(readFileSync(".oxfmtrc.json", "utf8")),
  );
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("; "));
  return code;
}

function priceOf(vendor, name) {
  return {
    ...(BY_HAND[name] ?? fromSource(vendor, name)),
    ...(FAST[name] === undefined ? {} : { fast: FAST[name] }),
    ...(EXCEPTIONAL.has(name) ? { exceptional: true } : {}),
  };
}

function fromSource(vendor, name) {
  const model = findProvider({ providerId: vendor }).models.find(({ id }) =>
    name in IDS ? id === IDS[name] : id.replaceAll(".", "-") === name,
  );
  if (model === undefined) throw new Error(`${SOURCE.name} does not know ${name}`);
  const prices = lastPrices(model);
  const tiers = Object.values(prices).flatMap((price) => price.tiers ?? []);
  const [above, ...others] = new Set(tiers.map(({ start }) => start));
  if (others.length > 0) throw new Error(`${name} has rates for more than two lengths of prompts`);
  const base = ratesFrom(prices, (price) => price?.base ?? price);
  if (above === undefined) return base;
  return { ...base, long: { above, ...ratesFrom(prices, (price) => price?.tiers?.[0]?.price ?? price) } };
}

/** Of prices that change, the last: what was introductory ends, and a budget is better too small than too large. */
function lastPrices({ prices }) {
  return Array.isArray(prices) ? prices.at(-1).prices : prices;
}

/** A write or read of the cache that has no price of its own costs what input costs. */
function ratesFrom(prices, amount) {
  const input = amount(prices.input_mtok);
  const write = amount(prices.cache_write_mtok) ?? input;
  const longWrite = amount(prices.cache_write_1h_mtok) ?? write;
  return rates(input, amount(prices.output_mtok), write, longWrite, amount(prices.cache_read_mtok) ?? input);
}

function rates(input, output, cacheWrite5m, cacheWrite1h, cacheRead) {
  return { input, output, cacheWrite5m, cacheWrite1h, cacheRead };
}

/** One price for all: that of Claude's models, whose transcripts count searches. */
function webSearch() {
  const { models } = findProvider({ providerId: "anthropic" });
  const [perThousand, ...others] = new Set(
    models.flatMap((model) => lastPrices(model).web_searches_kcount ?? []),
  );
  if (others.length > 0) throw new Error("searches have more than one price");
  return perThousand / 1000;
}
