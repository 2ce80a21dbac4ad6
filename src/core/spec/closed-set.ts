import type { Finding } from "./dimension.ts";
import { matches } from "./rule.ts";

const CLOSED_SET = /\b(?:all|every|each)\s(?:(?:of\s)?(?:the|our|its|their)\s)?(?:[\w@./`'-]{1,40}\s?){1,4}/i;
const NO_WORK_ITEMS =
  /^each\s(?:with|of|one)\b|^(?:all|every|each)\s(?:(?:of\s)?(?:the|our|its|their)\s)?(?:users?|customers?|people|cases?|times?|time|requests?|night|day|hour|week|month|minute|second|\d+|in|at|over|right|good|be|is|are|it|that|this)\b/i;
const UNOBSERVABLE = /\b(?:bugs?|issues?|problems?|things?|stuff)\b/i;

const CODE_UNITS =
  /^(?:all|every|each)\s(?:(?:of\s)?(?:the|our|its|their)\s)?(?:[\w@./`'-]{1,40}\s){0,3}?(?:routes?|endpoints?|components?|hooks?|controllers?|handlers?|models?|functions?|methods?|class(?:es)?|files?|modules?|packages?|quer(?:y|ies)|calls?|usages?|uses|imports?|tables?|columns?|workflows?|reducers?|serializers?|views?|templates?|selectors?|scripts?|resolvers?|mutations?|commands?|interfaces?|structs?|schemas?|migrations?|Dockerfiles?|manifests?|charts?|flags?|variables|constants|callbacks?|fixtures?|stores?)\b/i;

/** "all API routes", "every import": the work can be counted off. */
export function findClosedSets(text: string): Finding[] {
  return matches(CLOSED_SET, text)
    .filter((quote) => !NO_WORK_ITEMS.test(quote) && !UNOBSERVABLE.test(quote))
    .map((quote) => ({ points: CODE_UNITS.test(quote) ? 2 : 1, quote, reason: "a closed set" }));
}

export function findEverywhere(text: string): Finding[] {
  return matches(/\b(?:everywhere|anywhere|throughout)\b/i, text).map((quote) => ({
    points: 1,
    quote,
    reason: "all occurrences",
  }));
}
