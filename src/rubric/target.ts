import type { Rule } from "./rule.ts";

const NUMBER =
  "(?:v?\\d[\\d.,_]{0,12}(?:x|k|m)?|zero|one|two|three|four|five|six|seven|eight|nine|ten|twelve|half)";
const UNIT =
  "(?:ms|milliseconds?|s|secs?|seconds?|min(?:ute)?s?|hours?|h|days?|weeks?|%|percent|[kmgt]i?b|bytes?|rps|req\\/s|qps|fps|points?|times|characters?|items|rows|entries|retries|attempts|pixels?|px|errors?|warnings?|failures?|requests?|users|connections|concurrent)";

/** Numbers that a result can be held against. */
export const MEASURED: readonly Rule[] = [
  {
    pattern: new RegExp(
      `(?:\\b(?:below|under|less than|fewer than|at most|at least|above|over|more than|greater than|within|no more than|exactly|by|reach(?:es)?|up to|is|to)|[<>≤≥]=?)\\s?(?:about\\s|around\\s|a\\s)?${NUMBER}\\s?${UNIT}(?![a-z])`,
      "i",
    ),
    points: 2,
    reason: "a measurable target",
  },
  {
    pattern: new RegExp(
      `(?:\\b(?:below|under|less than|at least|above|greater than|no more than|exactly|reach(?:es)?)|[<>≤≥]=?)\\s?\\d[\\d.,]{0,12}`,
      "i",
    ),
    points: 2,
    reason: "a measurable target",
  },
  {
    pattern: new RegExp(`\\b${NUMBER}[\\s-]?${UNIT}(?![a-z])`, "i"),
    points: 2,
    reason: "a measurable value",
  },
  {
    pattern: /\bfrom\sv?\d[\d.]{0,12}\w{0,3}\sto\sv?\d[\d.]{0,12}/i,
    points: 2,
    reason: "an exact change of a value or version",
  },
  {
    pattern:
      /\b(?:upgrade|bump|update|migrate|move|pin|downgrade|set|raise|lower|increase|limit)\b.{0,100}?\bto\s(?:[\w.@-]{1,30}\s)?[v^~]?\d[\w.]{0,15}/i,
    points: 2,
    reason: "an exact value or version",
  },
  {
    pattern: /\b(?:latest|newest)\s(?:\w{1,20}\s)?(?:versions?|release|lts|major|minor)\b/i,
    points: 2,
    reason: "a version that can be looked up",
  },
];

/** States that a command or a look can confirm. */
export const OBSERVED_STATE: readonly Rule[] = [
  {
    pattern:
      /\b(?:tests?|suite|specs?|build|ci|pipeline|lint|checks?|tsc|pytest|vitest)\b.{0,40}?\b(?:pass(?:es|ing)?|green|clean|succeeds?)\b/i,
    points: 2,
    reason: "checks that pass",
  },
  {
    pattern:
      /\b(?:no|zero|0)\s(?:\w{1,20}\s){0,2}(?:errors?|warnings?|failures?|occurrences?|usages?|references|imports?|matches|files?)\b/i,
    points: 2,
    reason: "nothing of it is left",
  },
];
