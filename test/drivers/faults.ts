import { parseSessionId } from "../../src/core/loop/id.ts";
import type { Trouble } from "../../src/core/stop/trouble.ts";
import { tokensOf } from "../../src/agents/cost/transcript.ts";
import type { Bill, AgentEvent, TurnReport } from "../../src/agents/drivers/driver.ts";

const LONGEST_SAID = 2_000;
const LONGEST_DETAIL = 300;
const LONGEST_MESSAGE = 256 * 1024;
const LONGEST_OTHER = 4_096;

export interface Reading {
  readonly agentEvents: readonly AgentEvent[];
  readonly report: TurnReport;
}

/** What is wrong with a reading, whatever was read. */
export function faultsOf({ agentEvents, report }: Reading): readonly string[] {
  const bills = agentEvents.flatMap((each) => (each.type === "billed" ? [each.bill] : []));
  return [
    ...agentEvents.flatMap(faultsOfAgentEvent),
    ...[...bills, report.bill].flatMap((bill, index, all) => {
      const before = all[index - 1];
      return before === undefined ? [] : faultsOfGrowth(before, bill);
    }),
    ...faultsOfBill(report.bill),
    ...faultsOfTrouble(report.trouble),
    ...(report.lastMessage === null ? [] : faultsOfText("last message", report.lastMessage, LONGEST_MESSAGE)),
    ...(report.lastMessage === "" ? ["the last message is empty"] : []),
    ...(report.conversation === null ? [] : faultsOfConversation(report.conversation)),
    ...(report.toolUses === null ? [] : faultsOfAmount("tool uses", report.toolUses)),
    ...(report.reportedUsd === null ? [] : faultsOfAmount("reported", report.reportedUsd)),
    ...report.denials.flatMap(({ tool, rule }) => [
      ...faultsOfText("denied tool", tool, LONGEST_DETAIL),
      ...faultsOfText("denied rule", rule, LONGEST_OTHER),
    ]),
  ];
}

/** What speaks against `later` as the bill that `earlier` grew to. */
export function faultsOfGrowth(earlier: Bill, later: Bill): readonly string[] {
  const usdFell = earlier.usd !== null && (later.usd === null || later.usd < earlier.usd);
  const before = totalTokens(earlier);
  const after = totalTokens(later);
  return [
    ...(usdFell ? [`a bill of $${earlier.usd} fell to $${later.usd}`] : []),
    ...(after < before ? [`a bill of ${before} tokens fell to ${after}`] : []),
  ];
}

function faultsOfAgentEvent(agentEvent: AgentEvent): readonly string[] {
  switch (agentEvent.type) {
    case "conversation":
      return faultsOfConversation(agentEvent.id);
    case "said":
      return faultsOfText("said", agentEvent.text, LONGEST_SAID);
    case "used":
      return [
        ...faultsOfText("tool", agentEvent.tool, LONGEST_DETAIL),
        ...faultsOfText("detail of a tool", agentEvent.detail, LONGEST_DETAIL),
      ];
    case "edited":
      return faultsOfText("path", agentEvent.path, LONGEST_OTHER);
    case "failed":
      return faultsOfText("output of a failure", agentEvent.output, LONGEST_OTHER);
    case "billed":
      return faultsOfBill(agentEvent.bill);
    case "retrying":
      return faultsOfText("detail of a retry", agentEvent.detail, LONGEST_DETAIL);
  }
}

function faultsOfTrouble(trouble: Trouble | null): readonly string[] {
  if (trouble === null) return [];
  return [
    ...faultsOfText("detail of the trouble", trouble.detail, LONGEST_DETAIL),
    ...(trouble.detail.includes("\n") ? ["the trouble's detail has several lines"] : []),
    ...(trouble.kind === "usage-limit" && trouble.resetsAt !== null
      ? faultsOfAmount("reset", trouble.resetsAt)
      : []),
  ];
}

function faultsOfBill({ usd, usage }: Bill): readonly string[] {
  return [
    ...(usd === null ? [] : faultsOfAmount("usd", usd)),
    ...usage.flatMap((each) => [
      ...(each.model === null ? [] : faultsOfText("model", each.model, LONGEST_DETAIL)),
      ...Object.entries(each.usage).flatMap(([name, value]) =>
        typeof value === "boolean" ? [] : faultsOfAmount(name, value),
      ),
    ]),
  ];
}

function totalTokens(bill: Bill): number {
  return bill.usage.reduce((sum, { usage }) => sum + tokensOf(usage), 0);
}

function faultsOfConversation(id: string): readonly string[] {
  return parseSessionId(id) === id ? [] : [`${JSON.stringify(id)} names no conversation`];
}

function faultsOfText(what: string, text: unknown, limit: number): readonly string[] {
  if (typeof text !== "string") return [`the ${what} is no text`];
  return text.length <= limit ? [] : [`the ${what} has ${text.length} characters`];
}

function faultsOfAmount(what: string, amount: unknown): readonly string[] {
  return Number.isFinite(amount) && Number(amount) >= 0 ? [] : [`${what} is ${String(amount)}`];
}
