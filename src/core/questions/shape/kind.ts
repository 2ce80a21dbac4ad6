import type { Kind } from "../../stages/stages.ts";
import { readSpec } from "../../spec/reading.ts";
import { findRefactoring } from "../../spec/success.ts";

const POLITE = "^(?:(?:please|now|then|also|and|can you|could you|we need to|i want to|let's)\\s){0,2}";
const DEBUG = new RegExp(
  `${POLITE}(?:fix|debug|repair|resolve|investigate|diagnose|track down|find out why|figure out why|stop\\s.{1,80}?\\sfrom)\\b`,
  "i",
);
const SYMPTOM =
  /\b(?:crash(?:es|ed|ing)?|regression|is broken|memory leak|dead ?locks?|hangs|segfaults?|stack trace|wrong result|(?:returns?|shows?|gives?|prints?) (?:the )?wrong|(?:fails?|throws?) (?:with|when|on|if|for|after)|does(?:n't| not) work|no longer works?)\b/i;
const BUILD = new RegExp(
  `${POLITE}(?:add|create|build|implement|write|introduce|support|make|generate|provide|publish|set up|document|expose|allow)\\b`,
  "i",
);

/** What kind of work the words of a spec ask for; null where they don't say. The first piece of work decides. */
export function kindOf(spec: string): Kind | null {
  const reading = readSpec(spec);
  const [first = spec] = reading.work;
  if (DEBUG.test(first)) return "debug";
  if (BUILD.test(first)) return "build";
  if (findRefactoring({ ...reading, work: [first] }).length > 0) return "refactor";
  return SYMPTOM.test(first) ? "debug" : null;
}
