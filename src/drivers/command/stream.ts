import { beginningOf, endOf, LONGEST_SAID } from "../bounded-text.ts";
import { NO_BILL, type StreamReader } from "../driver.ts";
import { troubleOf } from "./trouble.ts";

const LONGEST_TEXT = 64 * 1024;

/** Whatever is printed is what the agent says; how its process ends is all that is known besides. */
export function readText(): StreamReader {
  let text = "";
  return {
    line(line) {
      text = text === "" ? line : `${text}\n${line}`;
      // Cut back only now and then, so that many short lines do not each copy all of it.
      if (text.length > 2 * LONGEST_TEXT) text = endOf(text, LONGEST_TEXT);
      const said = line.trim();
      return said === "" ? [] : [{ type: "said", text: beginningOf(said, LONGEST_SAID) }];
    },
    end(ending) {
      const message = endOf(text, LONGEST_TEXT).trimEnd();
      const trouble = troubleOf(ending);
      return {
        trouble,
        // Any program may be an agent, and need not know what to say.
        claimsDone: trouble === null,
        lastMessage: message === "" ? null : message,
        conversation: null,
        toolUses: null,
        bill: NO_BILL,
        reportedUsd: null,
        denials: [],
      };
    },
  };
}
