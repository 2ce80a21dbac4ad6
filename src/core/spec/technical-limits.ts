import type { Rule } from "./rule.ts";

const TECHNICAL_NOUN =
  "(?:dependenc(?:y|ies)|deps|packages|modules|sdks?|(?:native )?addons?|frameworks?|librar(?:y|ies)|(?:public |external )?apis?|schemas?|signatures?|interfaces?|exported \\w{1,20}|response format|payload|wire format|file format|public types|runtime|unsafe|(?:build )?tools?|servers|binar(?:y|ies)|gems?|crates?|sources?|source files|status codes?|column names|function names|(?:public|named) exports|exports(?= of)|env(?:ironment)? variables|migrations?|secrets|root(?: user)?|(?:bundle|binary|image|package) size|(?:dynamic )?allocations?|threads?|globals?|global state|recursion|reflection|macros|cgo|inline styles?|network (?:calls|access)|telemetry|queues?|cookies|polyfills?|infrastructure|breaking changes?|`[^`\\n]{1,60}`)";

/** Enough by themselves: an outsider could check them. */
export const TECHNICAL_LIMITS: readonly Rule[] = [
  {
    pattern: new RegExp(`\\b(?:no|zero|without)\\s(?:[\\w-]{1,15}\\s){0,4}${TECHNICAL_NOUN}`, "i"),
    points: 2,
    reason: "an explicit technical limit",
  },
  {
    pattern:
      /\b(?:[Nn]o|[Ww]ithout|[Nn]ever use|[Aa]void)\s(?!(?:PR|PRs|QA|CI)\b)[A-Z][A-Za-z0-9+#.]{1,20}\b(?!\s(?:errors?|warnings?|failures?))/,
    points: 2,
    reason: "a technology that is ruled out",
  },
  {
    pattern: new RegExp(
      `\\b(?:do not|don't|don’t|never|must not|mustn't|may not|avoid)\\s(?:\\w{2,15}\\s){1,5}?${TECHNICAL_NOUN}`,
      "i",
    ),
    points: 2,
    reason: "an explicit technical limit",
  },
  {
    pattern: new RegExp(
      `\\b${TECHNICAL_NOUN}\\s(?:[\\w./\`-]{1,40}\\s){0,5}?(?:must not|may not|should not|stays?|remains?|must stay|must remain|unchanged|cannot|(?:do|does)(?: not|n't) change|(?:is|are) (?:kept|forbidden|prohibited|banned|not allowed|off[- ]limits)|keeps?)\\b.{0,40}`,
      "i",
    ),
    points: 2,
    reason: "an explicit technical limit",
  },
  {
    pattern: new RegExp(
      `\\b(?:keep|keeping|preserve|preserving|retain|maintain)\\s(?:\\w{2,15}\\s){0,4}?${TECHNICAL_NOUN}`,
      "i",
    ),
    points: 2,
    reason: "an explicit technical limit",
    unless: /compatib/i,
  },
  {
    pattern:
      /(?:\b(?:max(?:imum)?|at most|no more than|fewer than|less than|under|up to|limit(?:ed)? to|within)|[<≤]=?)\s?(?:of\s)?\d[\d.,]{0,8}\s?(?:changed\s|new\s)?(?:loc|lines?|files?|commits?|dependencies|kloc)\b/i,
    points: 2,
    reason: "a limit on the size of the change",
  },
  {
    pattern:
      /\b(?:(?:only|just)\s(?:the\s)?(?:std(?:lib)?|standard library)|(?:std(?:lib)?|standard library)\sonly)\b/i,
    points: 2,
    reason: "no dependencies outside the language",
  },
  {
    pattern:
      /\b(?:stay(?:s|ing)? (?:on|with|within)|keep(?:ing)?|remain(?:s)? (?:on|compatible with)|compatible with|must (?:support|run on|work (?:on|with|in))|(?<!\b(?:drop|remove|end|dropping|removing)\s)support(?:s|ing)?|target(?:s|ing)?|works? (?:on|with))\s(?:(?:the|on|at|provider|version|versions)\s){0,3}(?:[A-Za-z][\w.+-]{0,20}\s){0,2}v?\d[\w.]{0,12}\+?/i,
    points: 2,
    reason: "an exact version to hold",
  },
];

export const NUMBER_LIMITS: readonly Rule[] = [
  {
    pattern: /\b(?:limit|budget|cap|ceiling)(?:\s(?:of|is|at))?:?\s\d[\d.,]{0,8}\s?\w{0,12}/i,
    points: 2,
    reason: "a limit in numbers",
  },
  {
    pattern: /\bmax(?:imum)?\.?\s(?:[\w-]{1,20}\s){0,4}\d[\d.,]{0,8}\s?\w{0,12}/i,
    points: 2,
    reason: "a limit in numbers",
  },
  {
    pattern:
      /\b(?:may|must|can|should)\s(?:not|only)?\s?(?:\w{2,20}\s){1,4}?(?:at most|no more than|worse than|more than|less than|up to|over|beyond|exceed)\s\d[\d.,]{0,8}\s?\S{0,12}/i,
    points: 2,
    reason: "a limit in numbers",
  },
];
