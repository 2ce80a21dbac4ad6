import type { Rule } from "./rule.ts";

/** Explicit, but about one thing: two of them together make an explicit set. */
export const EXPLICIT_LIMITS: readonly Rule[] = [
  {
    pattern:
      /(?:^|,\s?|\band\s|\bwith\s|:\s|[-–—]\s|\(|;\s?)no\s(?!(?:errors?|warnings?|failures?|longer|one|more|matter|changes?\b\s*$|idea)\b)(?:[\w`'-]{1,40}\s?){1,6}/i,
    points: 1,
    reason: "an explicit exclusion",
  },
  {
    pattern:
      /\b(?:should not|shouldn't|avoid|not)\s(?:touch|chang|modify|edit|break|alter|add|remov|log|us[ei]|introduc|renam|delet|destroy|rely|creat|commit|push|mov|rewrit|store|send|expose|drop|affect|exceed|depend|increas|slow|requir|mock|skip|disabl|be\s)\w{0,6}\s?.{0,60}/i,
    points: 1,
    reason: "an explicit exclusion",
  },
  {
    pattern:
      /\b(?:do not|don't|don’t|never|must not|mustn't|may not)\s(?!know\b|care\b|mind\b)[a-z]{2,20}\s?.{0,60}/i,
    points: 1,
    reason: "an explicit exclusion",
  },
  { pattern: /\bnothing else\b(?: \w{1,20}){0,4}/i, points: 1, reason: "an explicit exclusion" },
  {
    pattern:
      /\b[\w-]{2,30}\s(?:must|should)\s(?:be|stay|remain)\s(?:byte-|bit-)?(?:identical|unchanged|the same|equal)\b/i,
    points: 1,
    reason: "something that must stay as it is",
  },
  {
    pattern: /\bleave\s.{1,80}?\b(?:alone|as (?:it is|is|they are)|untouched|unchanged)\b/i,
    points: 1,
    reason: "an explicit exclusion",
  },
  {
    pattern: /\bno\s(?:[\w-]{1,30}\s){1,3}(?:may|must|can|should)\s\S.{0,60}/i,
    points: 1,
    reason: "an explicit exclusion",
  },
  {
    pattern: /\bwithout\s(?:\w{2,20}ing\b|downtime|any|a|data|loss|regressions?|side effects?)\s?.{0,60}/i,
    points: 1,
    reason: "something that must keep holding",
  },
  {
    pattern:
      /\b(?:[A-Z][\w.+#]{1,25}(?:\sv?\d[\w.]{0,10}\+?)?|strict mode|non-root|read-only)(?<!\bRead|\bThe|\bUse)\sonly\b/,
    points: 1,
    reason: "a limit on the means",
  },
  {
    pattern: /\b(?:use\sonly|only\suse|only)\s(?:[A-Z`][\w.+#`-]{1,40}|the\s\w{2,20})/,
    points: 1,
    reason: "a limit on the means",
  },
  {
    pattern: /\b(?:strict mode|as non-root|non-root|rootless|offline only|read-only)\b/i,
    points: 1,
    reason: "a technical mode",
  },
  {
    pattern:
      /\b(?:keep|keeping|preserve|preserving|retain|maintain)\s(?!(?:it|things|working|going|on)\b)(?:[\w`'-]{1,30}\s){1,8}?(?:unchanged|the same|intact|as is|stable|working|identical|untouched)\b/i,
    points: 1,
    reason: "something that must stay as it is",
  },
  {
    pattern: /\b(?:backwards?|backward)[- ]compatib\w{1,8}\b/i,
    points: 1,
    reason: "old uses must keep working",
  },
  {
    pattern:
      /\b(?:behaviou?r|look|output|results?|api|urls?)\s(?:must |should )?(?:stays?|remains?|is|be)\s(?:the same|unchanged|identical)\b/i,
    points: 1,
    reason: "something that must stay as it is",
  },
  {
    pattern:
      /\b[\w-]{2,30}\s(?:(?:must|should)\s)?(?:(?:stays?|remains?|are|is|be|kept)\s)?(?:unchanged|untouched|intact|as they are|as it is)\b/i,
    points: 1,
    reason: "something that must stay as it is",
  },
  {
    pattern: /\bsame\s(?:[\w-]{1,20}\s){1,3}as\s(?:today|now|before|currently)\b/i,
    points: 1,
    reason: "something that must stay as it is",
  },
];

/** A direction; however many, they stay general. */
export const GENERAL_LIMITS: readonly Rule[] = [
  {
    pattern:
      /\b(?:the|our|an?|any|its)?\s?(?:existing|current|present)\s(?!(?:tests?|test suite|suite|users?|accounts?|bugs?|implementation|behaviou?r)\b)[\w-]{2,40}(?:\s[\w-]{2,40})?/i,
    points: 1,
    reason: "a general direction",
  },
  {
    pattern:
      /\bkeep\s(?:it|things|the \w+|changes)\s(?:simple|small|minimal|short|lean)\b|\bminimal (?:changes|diff)\b|\bsmall (?:changes|diff|commits)\b/i,
    points: 1,
    reason: "a general direction",
  },
  {
    pattern:
      /\b(?:in|matching|following) the (?:style|manner|tone|spirit) of\s(?:[\w-]{1,30}\s?){1,4}|\b(?:like|as) (?:in )?(?:the|our) (?:other|existing|rest)\b(?: [\w-]{2,30})?|\b(?:with|on|in) our\s(?:[\w-]{2,30}\s?){1,3}/i,
    points: 1,
    reason: "a general direction",
  },
  {
    pattern:
      /\bre-?use\s(?:\S{1,30}\s){0,4}\S{2,30}|\balready (?:have|use|in place)\b|\bas few (?:changes|edits|lines) as possible\b/i,
    points: 1,
    reason: "a general direction",
  },
  {
    pattern:
      /\b(?:follow(?:ing)?|stick(?:ing)? to|respect|match|according to|in line with)\s(?:[\w-]{1,20}\s){0,4}(?:conventions?|style|guidelines?|patterns?|standards?|guide|design system)\b/i,
    points: 1,
    reason: "a general direction",
  },
  {
    pattern:
      /\b(?<!stop |without |instead of )using\s(?!(?:it|them|this|that)\b)[\w`@'./-]{2,40}(?:\s[\w`@'./-]{2,40}){0,2}/i,
    points: 1,
    reason: "names the means",
  },
  {
    pattern: /\bto use\s(?:the\s|our\s|a\s)?[\w`@-]{2,40}(?:\s[\w-]{2,40})?/i,
    points: 1,
    reason: "names the means",
  },
  {
    pattern: /^use\s(?:the\s|our\s|a\s)?[\w`@-]{2,40}(?:\s[\w-]{2,40})?/i,
    points: 1,
    reason: "names the means",
  },
];
