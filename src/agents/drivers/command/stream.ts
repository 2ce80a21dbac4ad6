import { linesWithoutStatusBlocks } from "../../../core/stop/status-block.ts";
import { beginningOf, endOf, LONGEST_SAID } from "../bounded-text.ts";
import { NO_BILL } from "../driver.ts";
import type { StreamReader } from "../driver.ts";
import { troubleOf } from "./trouble.ts";

const LONGEST_TEXT = 64 * 1024;
/** The line around a block in Markdown says nothing. */
const FENCE = /^`{3,}\w*$/;

/** The output is what the agent says; beyond that, only the end of its process is known. */
export function readText(): StreamReader {
  let text = "";
  const wordsOf = linesWithoutStatusBlocks();
  return {
    line(line) {
      text = text === "" ? line : `${text}\n${line}`;
      // Trimmed only now and then, so that many short lines don't each copy all of it.
      if (text.length > 2 * LONGEST_TEXT) text = endOf(text, LONGEST_TEXT);
      const said = wordsOf(line);
      return said === "" || FENCE.test(said) ? [] : [{ type: "said", text: beginningOf(said, LONGEST_SAID) }];
    },
    end(ending) {
      const message = endOf(text, LONGEST_TEXT).trimEnd();
      const trouble = troubleOf(ending);
      return {
        trouble,
        // Any program may be the agent, and may not know the claims.
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
