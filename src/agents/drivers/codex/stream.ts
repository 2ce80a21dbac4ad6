import { parseSessionId } from "../../../core/loop/id.ts";
import { NO_USAGE, greaterOf } from "../../cost/usage.ts";
import type { Usage } from "../../cost/usage.ts";
import { beginningOf, detailOf, endOf, LONGEST_MESSAGE, LONGEST_SAID } from "../bounded-text.ts";
import { startDenials } from "../denial-list.ts";
import { NO_BILL } from "../driver.ts";
import type { Sighting, StreamReader, Turn, TurnReport } from "../driver.ts";
import { objectAt, parseJsonLine, textAt } from "../json-line.ts";
import type { JsonObject } from "../json-line.ts";
import { usageFrom, usageSince } from "./bill.ts";
import { denialOf, isTool, outcomeOf, saidIn, useOf } from "./item.ts";
import { denialsIn, troubleOf } from "./trouble.ts";
import type { TurnEnd } from "./trouble.ts";

/** Codex reports figures for the whole conversation, over all its turns. */
interface ReportedUsage {
  /** The last reported total of the conversation; null if never reported. */
  readonly reportedUsage: Usage | null;
}

type CodexTurn = Pick<Turn, "model" | "conversation"> & Partial<ReportedUsage>;

const LONGEST_FAILURE = 8 * 1024;
/** The client retries and hasn't failed yet. */
const RETRYING = /^Reconnecting\.\.\./;

/** Reads `codex exec --json`. */
export function readEvents(turn: CodexTurn): StreamReader {
  let conversation: string | null = parseSessionId(turn.conversation);
  let reportedUsage = turn.reportedUsage ?? null;
  let reportedBefore = reportedUsage;
  let bill = NO_BILL;
  let end: TurnEnd = { type: "none" };
  let lastMessage: string | null = null;
  const uses = new Set<string>();
  const denied = startDenials();

  function see(event: JsonObject): readonly Sighting[] {
    const item = objectAt(event, "item");
    switch (textAt(event, "type")) {
      case "thread.started":
        return opened(textAt(event, "thread_id"));
      case "turn.started":
        end = { type: "none" };
        return [];
      case "item.started":
        return item === null ? [] : used(item);
      case "item.completed":
        return item === null ? [] : [...used(item), ...completed(item)];
      case "turn.completed":
        end = { type: "completed" };
        return billed(objectAt(event, "usage"));
      case "turn.failed":
        return failed(textAt(event, "error", "message"));
      case "error":
        return failed(textAt(event, "message"));
      case null:
      default:
        return [];
    }
  }

  function opened(thread: string | null): readonly Sighting[] {
    const id = parseSessionId(thread);
    if (id === null) return [];
    // A conversation other than the requested one starts counting from zero.
    if (id !== conversation) reportedUsage = reportedBefore = null;
    conversation = id;
    return [{ type: "conversation", id }];
  }

  /** Most tools are reported twice, at their start and their end. */
  function used(item: JsonObject): readonly Sighting[] {
    const id = textAt(item, "id");
    if (!isTool(item) || id === null || uses.has(id)) return [];
    uses.add(id);
    return [useOf(item)];
  }

  function completed(item: JsonObject): readonly Sighting[] {
    const said = saidIn(item);
    if (said !== null) {
      lastMessage = endOf(said, LONGEST_MESSAGE);
      return [{ type: "said", text: beginningOf(said, LONGEST_SAID) }];
    }
    if (!isTool(item)) return [];
    const denial = denialOf(item);
    if (denial !== null) denied.add(denial);
    return outcomeOf(item);
  }

  function billed(usage: JsonObject | null): readonly Sighting[] {
    if (usage === null) return [];
    reportedUsage = usageFrom(usage);
    const known = bill.usage[0]?.usage ?? NO_USAGE;
    const used = greaterOf(known, usageSince(reportedBefore, reportedUsage));
    bill = { usd: null, usage: [{ model: turn.model, usage: used }] };
    return [{ type: "billed", bill }];
  }

  function failed(message: string | null): readonly Sighting[] {
    if (message !== null && RETRYING.test(message)) return [{ type: "retrying", detail: detailOf(message) }];
    if (end.type === "completed") return [];
    end = { type: "failed", message: beginningOf(message ?? "Codex gave no reason", LONGEST_FAILURE) };
    return [];
  }

  return {
    line(text) {
      const event = parseJsonLine(text);
      return event === null ? [] : see(event);
    },
    end(ending, at) {
      for (const denial of denialsIn(ending)) denied.add(denial);
      const report: TurnReport & ReportedUsage = {
        trouble: troubleOf(end, ending, at),
        lastMessage,
        conversation,
        toolUses: uses.size,
        bill,
        reportedUsd: null,
        reportedUsage,
        denials: denied.denials,
      };
      return report;
    },
  };
}
