import { parseSessionId } from "../../../core/loop/id.ts";
import { beginningOf, endOf, LONGEST_MESSAGE, LONGEST_SAID } from "../bounded-text.ts";
import { NO_BILL } from "../driver.ts";
import type { Sighting, StreamReader, Turn } from "../driver.ts";
import { flagAt, numberAt, objectAt, parseJsonLine, textAt } from "../json-line.ts";
import type { JsonObject } from "../json-line.ts";
import { billOf, NOTHING, withStep } from "./bill.ts";
import { askedIn } from "./error-output.ts";
import { denialsOf } from "./denials.ts";
import type { RefusedTool } from "./denials.ts";
import { toolUseIn } from "./tool-use.ts";
import { isOverflow, troubleOf } from "./trouble.ts";
import type { Failure } from "./trouble.ts";

const KNOWN = new Set(["step_start", "text", "reasoning", "tool_use", "step_finish", "error"]);
/** After these the client asks the model again: with the results of its tools, or because its answer broke off. */
const NOT_THE_END = new Set(["tool-calls", "unknown"]);
const LATEST = Date.UTC(3000, 0);

/** Reads `opencode run --format=json`. One step is one answer of the model with the results of its tools. */
export function readEvents(turn: Pick<Turn, "model" | "conversation">): StreamReader {
  const resumed = parseSessionId(turn.conversation);
  let conversation: string | null = resumed;
  let told: string | null = null;
  let sum = NOTHING;
  let bill = NO_BILL;
  let failure: Failure | null = null;
  let begun = false;
  let ended = false;
  /** The next step is a summary of a conversation that got too long, not an answer. */
  let summarizing = false;
  let refusedInStep = false;
  /** The model's words in the last step. */
  let words = "";
  let toolUses = 0;
  const refused: RefusedTool[] = [];

  function see(event: JsonObject): readonly Sighting[] {
    const part = objectAt(event, "part");
    switch (textAt(event, "type")) {
      case "step_start":
        beginStep();
        return [];
      case "text":
        return hear(part);
      case "tool_use":
        return seeTool(part);
      case "step_finish":
        return endStep(part);
      case "error":
        return seeFailure(event);
      case null:
      default:
        return [];
    }
  }

  function beginStep(): void {
    begun = true;
    ended = false;
    failure = null;
    refusedInStep = false;
    words = "";
  }

  function hear(part: JsonObject | null): readonly Sighting[] {
    // The client itself asks the model to continue, so what came before was a summary.
    if (flagAt(part, "synthetic")) {
      ended = false;
      words = "";
      return [];
    }
    const text = (textAt(part, "text") ?? "").trim();
    if (text === "") return [];
    words = endOf(words === "" ? text : `${words}\n\n${text}`, LONGEST_MESSAGE);
    return [{ type: "said", text: beginningOf(text, LONGEST_SAID) }];
  }

  function seeTool(part: JsonObject | null): readonly Sighting[] {
    const use = toolUseIn(part);
    if (use === null) return [];
    if (use.counts) toolUses += 1;
    if (use.refused !== null) {
      if (use.refused === "asked") refusedInStep = true;
      refused.push({ tool: use.tool, command: use.command, asked: use.refused === "asked" });
    }
    return use.sightings;
  }

  function endStep(part: JsonObject | null): readonly Sighting[] {
    const reason = textAt(part, "reason") ?? "unknown";
    ended = refusedInStep || (!summarizing && !NOT_THE_END.has(reason));
    summarizing = false;
    sum = withStep(sum, part);
    bill = billOf(sum, turn.model);
    const billed: Sighting = { type: "billed", bill };
    return reason === "unknown"
      ? [billed, { type: "retrying", detail: "the model's answer broke off" }]
      : [billed];
  }

  function seeFailure(event: JsonObject): readonly Sighting[] {
    const error = objectAt(event, "error");
    if (error === null) return [];
    const at = numberAt(event, "timestamp");
    failure = { error, at: at !== null && at > 0 && at < LATEST ? at : null };
    summarizing = isOverflow(error);
    if (!summarizing) return [];
    return [{ type: "retrying", detail: "the conversation got too long and is being summarized" }];
  }

  /** Every event names its conversation; the first one is enough. */
  function opened(event: JsonObject): readonly Sighting[] {
    const id = parseSessionId(textAt(event, "sessionID"));
    if (id === null || id === told || !KNOWN.has(textAt(event, "type") ?? "")) return [];
    conversation = told = id;
    return [{ type: "conversation", id }];
  }

  return {
    line(text) {
      const event = parseJsonLine(text);
      return event === null ? [] : [...opened(event), ...see(event)];
    },
    end(ending, at) {
      const stderr = "stderr" in ending ? ending.stderr : "";
      return {
        trouble: troubleOf({ failure, ended, begun, resumed: resumed !== null }, ending, at),
        lastMessage: words === "" ? null : words,
        conversation,
        toolUses,
        bill,
        reportedUsd: null,
        denials: denialsOf(refused, askedIn(stderr)),
      };
    },
  };
}
