import { METRIC } from "./words.ts";
import { anyCase, matches, rules } from "./rule.ts";

const NUMBER =
  "(?:[$€£]?v?\\d[\\d.,_]{0,12}(?:x|k|m)?|zero|one|two|three|four|five|six|seven|eight|nine|ten|twelve|half)";
const UNIT =
  "(?:ms|milliseconds?|s|secs?|seconds?|min(?:ute)?s?|hours?|h|days?|weeks?|%|percent|[kmgt]i?b|bytes?|rps|req\\/s|qps|fps|points?|times|characters?|items|rows|entries|retries|attempts|pixels?|px|errors?|warnings?|failures?|violations?|requests?|users|connections|concurrent)";
const COMPARATOR =
  "(?:\\b(?:below|under|less than|fewer than|at most|at least|above|over|greater than|within|(?:no|not) (?:more|larger|bigger|longer|slower|higher|greater|less|fewer|lower|worse) than|(?:faster|quicker|smaller|lower|higher|larger|better|more) than|exactly|(?:not|never) exceed|fits? (?:in|into)|reach(?:es)?|max(?:imum)?)|[<>≤≥]=?)";
const APPROXIMATION = "(?:about\\s|around\\s|a\\s)?";
const DIRECTION = "(?:less|fewer|smaller|lower|below|under|more|higher|greater|better|above|faster|quicker)";

/** A comparison with a number that the result can be held against. */
const COMPARED = rules(
  2,
  [
    anyCase`${COMPARATOR}\s?${APPROXIMATION}${NUMBER}(?:\s?${UNIT}(?![a-z])|\s[a-z]{3,20}\b)?`,
    "a measurable target",
    /\b(?:over|under|within|above|max|reach(?:es)?|more than|exactly) (?:one|half)\b/i,
  ],
  [anyCase`\b${NUMBER}\s?(?:${UNIT}\s)?or\s${DIRECTION}\b`, "a measurable target"],
  [anyCase`\b\d[\d.,]{0,8}\s?(?:%|percent|x|times)\s${DIRECTION}\b(?:\s[a-z]{3,20})?`, "a measurable target"],
  [anyCase`(?<!up )\b(?:to|by)\s${APPROXIMATION}${NUMBER}\s?${UNIT}(?![a-z])`, "a measurable target"],
  [
    /\b\d{1,3}(?:\.\d{1,3})?\s?(?:%|percent)\s(?:\w{2,20}\s){0,2}(?:coverage|uptime|availability)\b/i,
    "a measurable target",
  ],
  [/\b(?:to|at)\s(?:zero|0)(?![\w.,])/i, "a measurable target"],
  [/\b\d{1,6}\s(?:\w{2,20}\s)?(?:runs?|times|iterations|builds)\sin a row\b/i, "a measurable target"],
  [
    /\bfrom\s[$€£]?\d[\d.,]{0,12}\s?\S{0,12}\sto\s[$€£]?\d[\d.,]{0,12}(?:\s?%)?/i,
    "an exact change of a value or version",
  ],
);

/** Numbers that a result can be held against. */
export const MEASURED = [
  ...COMPARED,
  ...rules(
    2,
    [anyCase`\b(?:up to|is)\s${APPROXIMATION}${NUMBER}\s?${UNIT}(?![a-z])`, "a measurable target"],
    [anyCase`\b${NUMBER}[\s-]?${UNIT}(?![a-z])`, "a measurable value"],
    [/\bfrom\sv?\d[\d.]{0,12}\w{0,3}\sto\sv?\d[\d.]{0,12}/i, "an exact change of a value or version"],
    [
      /\b(?:upgrade|bump|update|migrate|move|pin|downgrade|set|raise|lower|increase|limit)\b.{0,100}?\bto\s(?:[\w.@-]{1,30}\s)?[v^~]?\d[\w.]{0,15}/i,
      "an exact value or version",
    ],
    [
      /\b(?:latest|newest)\s(?:\w{1,20}\s)?(?:versions?|release|lts|major|minor)\b/i,
      "a version that can be looked up",
    ],
  ),
];

/** States that a command or a look can confirm. */
export const OBSERVED_STATE = rules(
  2,
  [
    /\b(?:tests?|suite|specs?|build|ci|pipeline|lint|checks?|tsc|pytest|vitest)\b.{0,40}?\b(?:pass(?:es|ing)?|green|clean|succeeds?)\b/i,
    "checks that pass",
  ],
  [
    /\b(?:no|zero|0)\s(?:\w{1,20}\s){0,2}(?:errors?|warnings?|failures?|violations?|occurrences?|usages?|references|imports?|matches|files?)\b/i,
    "nothing of it is left",
  ],
  [
    /`[^`\n]{1,200}`\s(?:(?:is|are|stays?)\s)?(?:pass(?:es)?|green|clean|succeeds?|exits? (?:with )?0)\b/i,
    "checks that pass",
  ],
  [
    /\b(?:reports?|finds?|shows?|prints?|lists?|returns?)\s(?:none|nothing|zero|0)\b/i,
    "nothing of it is left",
  ],
);

const TOWARD_A_VALUE =
  /\b(?:reduc(?:e|ing)|cut|shrink|bring|get|lower|decrease|trim|raise|increase|lift|boost|push|drop|reach|achieve|halve|slim|speed up|keep)\b/i;
const MEASURED_THING =
  /\b(?:p\d\d|in a row|percentile|quer(?:y|ies)|allocations?|size|scores?|rss|heap|footprint|duration|runtime|faster|quicker|slower|smaller|larger|bigger|kb|mb)\b/i;
const MEASURED_TOOL_EVENT =
  /\b(?:answer|respond|finish|complete|take|load|start|run|render|issue|need|cost|fit|reply|boot|build|compile|open|grow)(?:s|es)?\b/i;
/** A threshold that the program acts on is a behaviour: "reject files over 5 MB". */
const THRESHOLD =
  /\b(?:when|whenever|if|unless|once|after|every|accepts?|rejects?|allows?|limit(?:s|ed)?|restricts?|retr(?:y|ies)|validates?|expires?|caches?|shows?|displays?|warns?|alerts?|time-?outs?|sends?|deletes?|wait|older|shorter|longer|retention|upgrade|bump)\b/i;

const CEILING = anyCase`^(?:below|under|less than|at most|within|no (?:more|longer|larger|slower) than|[<≤]=?)\s?\d[\d.,]{0,8}\s?(?:ms|milliseconds?|s|secs?|seconds?|%|percent|[kmg]i?b)(?![a-z])`;

/** The values whose reaching ends the work. */
export function findMeasuredGoals(text: string): string[] {
  const compared = COMPARED.flatMap((rule) =>
    matches(rule.pattern, text).filter((quote) => !rule.unless?.test(quote)),
  );
  return compared.filter(
    (quote) => isMeasured(quote, text) && !THRESHOLD.test(text.slice(0, text.indexOf(quote))),
  );
}

const SETTING = /\b(?:default|setting|limit|time-?out|page size|port|interval|replicas|retries)\b/i;

/** "From 2 to 4" may be a setting; a metric must say that it is measured. */
function isMeasured(quote: string, text: string): boolean {
  if (/\b(?:lines?|loc|files?|commits?|characters?|px|pixels?)$/i.test(quote)) return false;
  if (quote.startsWith("from") && SETTING.test(text)) return false;
  if (CEILING.test(quote) || /^[<>≤≥]/.test(quote)) return true;
  if ([METRIC, MEASURED_THING].some((kind) => kind.test(text))) return true;
  return !quote.startsWith("from") && [TOWARD_A_VALUE, MEASURED_TOOL_EVENT].some((kind) => kind.test(text));
}
