import type { StreamReader, TurnReport, Bill, AgentEvent } from "../../agents/drivers/driver.ts";
import { costOf, priceOf, type PriceTable } from "../../agents/cost/price.ts";
import type { Spent } from "../../core/stop/facts.ts";
import type { Redact } from "../../system/secrets/redact.ts";
import type { RanAgent } from "./run-agent.ts";
import { keptEnding, keptLines, type KeptEnding, type TurnFolder } from "./turn-folder.ts";
import type { TokenCounts } from "../../core/loop/loop.ts";
import { NO_USAGE, tokensOf, type Usage } from "../../agents/cost/transcript.ts";

export interface ReportedTurn {
  /** Redacted. */
  readonly report: TurnReport;
  readonly spent: Spent;
}

export function reportOf({ reader, kept }: RanAgent, prices: PriceTable, redact: Redact): ReportedTurn {
  const said = reader.end(kept.ending, kept.at);
  // An agent that finished before we ended it is finished.
  const trouble = said.trouble === null ? null : (kept.cause ?? said.trouble);
  return { report: redactReport({ ...said, trouble }, redact), spent: charge(said.bill, prices) };
}

/** What an earlier process kept of a turn, read again. `see` gets each line's agent events. */
export function readKept(
  folder: TurnFolder,
  reader: StreamReader,
  now: number,
  see: (agentEvent: ReturnType<StreamReader["line"]>[number]) => void = () => {},
): RanAgent {
  for (const line of keptLines(folder)) for (const agentEvent of reader.line(line)) see(agentEvent);
  const lost: KeptEnding = {
    ending: { type: "cut-off", why: "its end was not seen" },
    cause: null,
    at: now,
  };
  return { reader, kept: keptEnding(folder) ?? lost };
}

/** A bill in dollars: the agent's own figure, otherwise its tokens by the price table. Models without a price cost the highest one. */
export function charge(bill: Bill, table: PriceTable): Spent {
  const tokens = bill.usage.reduce((sum, { usage }) => sum + tokensOf(usage), 0);
  if (bill.usd !== null) return { usd: bill.usd, tokens, priced: true, cursor: null };
  let usd = 0;
  // An agent that reports nothing hasn't worked for free.
  let priced = bill.usage.length > 0;
  for (const { model, usage } of bill.usage) {
    const { known, price } = priceOf(model ?? "", table, usage.fast);
    // A turn is many requests: a long sum doesn't mean that each is long.
    usd += costOf(usage, { ...price, long: null });
    priced &&= known;
  }
  return { usd, tokens, priced, cursor: null };
}

export function countsOf(usage: Usage | null | undefined): TokenCounts | null {
  if (usage == null) return null;
  const { input, output, cacheRead, cacheWrite } = usage;
  return { input, output, cacheRead, cacheWrite };
}

export function usageOf(counts: TokenCounts | null): Usage | null {
  return counts === null ? null : { ...NO_USAGE, ...counts };
}

/** The version to show. A message may come in pieces on separate lines, with half a secret in each. */
export function redactAgentEvent(agentEvent: AgentEvent, redact: Redact): AgentEvent {
  switch (agentEvent.type) {
    case "said":
      return { ...agentEvent, text: redact(agentEvent.text) };
    case "used":
    case "retrying":
      return { ...agentEvent, detail: redact(agentEvent.detail) };
    case "failed":
      return { ...agentEvent, output: redact(agentEvent.output) };
    case "conversation":
    case "edited":
    case "billed":
      return agentEvent;
  }
}

/** The version to keep. */
export function redactReport(report: TurnReport, redact: Redact): TurnReport {
  const { trouble, lastMessage, denials } = report;
  return {
    ...report,
    trouble: trouble === null ? null : { ...trouble, detail: redact(trouble.detail) },
    lastMessage: lastMessage === null ? null : redact(lastMessage),
    denials: denials.map(({ tool, rule }) => ({ tool: redact(tool), rule: redact(rule) })),
  };
}
