import { parseSessionId } from "../../../core/loop/id.ts";
import { beginningOf, detailOf, endOf, LONGEST_MESSAGE, LONGEST_PATH, LONGEST_SAID } from "../bounded-text.ts";
import { NO_BILL } from "../driver.ts";
import type { Sighting, StreamReader, Turn } from "../driver.ts";
import { objectAt, parseJsonLine, textAt } from "../json-line.ts";
import type { JsonObject } from "../json-line.ts";
import { billAfter } from "./bill.ts";
import { scriptedDenials, scriptedTrouble, troubleOfEnding } from "./trouble.ts";

/** Reads what the player prints. A script may make it print anything in between, so no line is trusted. */
export function readPlay(turn: Pick<Turn, "conversation">): StreamReader {
  let conversation: string | null = parseSessionId(turn.conversation);
  let bill = NO_BILL;
  let toolUses = 0;
  let ended: JsonObject | null = null;

  function see(message: JsonObject): readonly Sighting[] {
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

  function billed(message: JsonObject): readonly Sighting[] {
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
