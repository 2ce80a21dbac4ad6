import { parseSessionId } from "../../../core/loop/id.ts";
import {
  beginningOf,
  detailOf,
  endOf,
  LONGEST_MESSAGE,
  LONGEST_PATH,
  LONGEST_SAID,
  LONGEST_DETAIL,
  detailWithReason,
} from "../bounded-text.ts";
import { NO_BILL } from "../driver.ts";
import type { AgentEvent, StreamReader, Turn, Bill, AgentEnding, Denial } from "../driver.ts";
import { objectAt, parseJsonLine, textAt, countAt, numberAt, type JsonObject } from "../json-line.ts";
import { NO_USAGE } from "../../cost/transcript.ts";
import type { Trouble } from "../../../core/stop/trouble.ts";

/** Reads what the player prints. A script may make it print anything in between, so no line is trusted. */
export function readPlay(turn: Pick<Turn, "conversation">): StreamReader {
  let conversation: string | null = parseSessionId(turn.conversation);
  let bill = NO_BILL;
  let toolUses = 0;
  let ended: JsonObject | null = null;

  function see(message: JsonObject): readonly AgentEvent[] {
    switch (textAt(message, "type")) {
      case "conversation": {
        const id = parseSessionId(textAt(message, "id"));
        if (id === null) return [];
        conversation = id;
        return [{ type: "conversation", id }];
      }
      case "said": {
        const text = textAt(message, "text");
        return text === null ? [] : [{ type: "said", text: beginningOf(text, LONGEST_SAID) }];
      }
      case "used": {
        const tool = textAt(message, "tool");
        if (tool === null) return [];
        toolUses += 1;
        return [{ type: "used", tool: detailOf(tool), detail: detailOf(textAt(message, "detail") ?? "") }];
      }
      case "edited": {
        const path = textAt(message, "path");
        return path === null || path.length > LONGEST_PATH ? [] : [{ type: "edited", path }];
      }
      case "failed":
        return [{ type: "failed", output: endOf(textAt(message, "output") ?? "", LONGEST_SAID) }];
      case "billed":
        return billed(message);
      case "ended":
        ended = message;
        return billed(message);
      case null:
      default:
        return [];
    }
  }

  function billed(message: JsonObject): readonly AgentEvent[] {
    const before = bill;
    bill = billAfter(bill, message);
    return bill.usd === before.usd && bill.usage === before.usage ? [] : [{ type: "billed", bill }];
  }

  return {
    line(text) {
      const message = ended === null ? parseJsonLine(text) : null;
      return message === null ? [] : see(message);
    },
    end(ending, at) {
      const message = textAt(ended, "message");
      const scripted = objectAt(ended, "trouble");
      return {
        trouble: scriptedTrouble(scripted, at) ?? troubleOfEnding(ending, ended !== null),
        lastMessage: message === null ? null : endOf(message, LONGEST_MESSAGE),
        conversation,
        toolUses,
        bill,
        reportedUsd: null,
        denials: scriptedDenials(scripted),
      };
    },
  };
}

/** A bill plus what a message adds. It never falls, whatever is printed. */
function billAfter(bill: Bill, message: JsonObject): Bill {
  const usd = numberAt(message, "usd");
  const tokens = objectAt(message, "tokens");
  return {
    usd: usd === null ? bill.usd : Math.max(usd, bill.usd ?? 0),
    usage: tokens === null ? bill.usage : usageAfter(bill, tokens, textAt(message, "model")),
  };
}

function usageAfter(bill: Bill, tokens: JsonObject, model: string | null): Bill["usage"] {
  const before = bill.usage[0]?.usage ?? NO_USAGE;
  const usage = {
    ...NO_USAGE,
    input: Math.max(before.input, countAt(tokens, "input")),
    output: Math.max(before.output, countAt(tokens, "output")),
  };
  return [{ model: model === null ? null : beginningOf(model, LONGEST_DETAIL), usage }];
}

/** The trouble in a turn's last message; null if the turn ended well or was only denied something. */
function scriptedTrouble(scripted: JsonObject | null, at: number): Trouble | null {
  if (scripted === null) return null;
  const kind = textAt(scripted, "kind");
  const detail = detailOf(textAt(scripted, "detail") ?? `the script says ${kind ?? "so"}`);
  switch (kind) {
    case "permission":
      return null;
    case "usage-limit": {
      const resetsInMs = numberAt(scripted, "resetsInMs");
      return { kind, detail, resetsAt: resetsInMs === null ? null : at + Math.max(resetsInMs, 0) };
    }
    case "transient":
    case "blocking":
    case "budget":
    case "lost-conversation":
      return { kind, detail };
    case null:
    default:
      return { kind: "unknown", detail };
  }
}

function scriptedDenials(scripted: JsonObject | null): readonly Denial[] {
  if (textAt(scripted, "kind") !== "permission") return [];
  const tool = textAt(scripted, "tool");
  const rule = textAt(scripted, "rule");
  return tool === null || rule === null ? [] : [{ tool: detailOf(tool), rule: detailOf(rule) }];
}

/** The trouble in how the process ended; null if the turn was played to its end. */
function troubleOfEnding(ending: AgentEnding, played: boolean): Trouble | null {
  switch (ending.type) {
    case "not-started":
      return { kind: "blocking", detail: detailOf(`the player cannot be started: ${ending.message}`) };
    case "cut-off":
      return played ? null : { kind: "interrupted", detail: detailOf(ending.why) };
    case "signalled":
      if (played) return null;
      return {
        kind: "interrupted",
        detail: detailWithReason(`the player was ended by ${ending.signal}`, ending.stderr),
      };
    case "exited": {
      if (played && ending.code === 0) return null;
      const what = played ? "the player failed after its turn" : "the player ended in the middle of its turn";
      return {
        kind: "unknown",
        detail: detailWithReason(`${what} (exit code ${ending.code})`, ending.stderr),
      };
    }
  }
}

/** What the player of a rehearsal prints, one JSON object per line. */
export type PlayerMessage =
  | { readonly type: "conversation"; readonly id: string }
  | { readonly type: "said"; readonly text: string }
  | { readonly type: "used"; readonly tool: string; readonly detail: string }
  | { readonly type: "edited"; readonly path: string }
  | { readonly type: "failed"; readonly output: string }
  /** Up to here. */
  | ({ readonly type: "billed" } & PlayedCost)
  /** The turn reached its scripted end. */
  | ({
      readonly type: "ended";
      readonly message: string | null;
      readonly trouble: ScriptedTrouble | null;
    } & PlayedCost);

export interface PlayedCost {
  readonly usd: number | null;
  readonly tokens: { readonly input: number; readonly output: number } | null;
  readonly model: string | null;
}

/** How a script makes a turn end in trouble. */
export type ScriptedTrouble =
  /** Without a time, the end of the limit is unknown. */
  | {
      readonly kind: "usage-limit";
      readonly resetsInMs?: number | undefined;
      readonly detail?: string | undefined;
    }
  | {
      readonly kind: "transient" | "blocking" | "budget" | "lost-conversation" | "unknown";
      readonly detail?: string | undefined;
    }
  /** Something was denied and the turn still ended by itself, as with a real headless agent. */
  | { readonly kind: "permission"; readonly tool: string; readonly rule: string };
