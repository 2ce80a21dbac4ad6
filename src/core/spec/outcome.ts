import { findClosedSets, findPlaces, namedFiles } from "./scope.ts";
import type { Reading } from "./reading.ts";
import { END_STATES, VAGUE } from "./end-states.ts";
import { findMeasuredGoals, MEASURED, OBSERVED_STATE } from "./target.ts";
import {
  BUILD_VERB,
  IMPROVE_VERB,
  METRIC,
  namingSpan,
  namingWords,
  ORDER,
  REPAIR_VERB,
  SYMPTOM,
} from "./words.ts";
import { applyRules, best, matches, type DimensionScore, type Extras, type Earned } from "./rule.ts";

const INVESTIGATION =
  /^(?:please\s)?(?:investigate|find out|figure out|look into|analy[sz]e|research|explore|diagnose|debug|check why|evaluate)\b/i;

/** Verbs that get better at nothing exact, whatever follows. */
const VAGUE_LEAD =
  /^(?:please\s)?(?:improve|enhance|optimi[sz]e|polish|refine|clean up|tidy|moderni[sz]e|rework|revisit)\b/i;

/** "Add spinners to all pages" says where, and leaves open what exactly is there. */
const ADDITION = /^(?:please\s)?(?:add|create|write|implement|introduce)\b/i;

export function scoreOutcome(reading: Reading, extras: Extras): DimensionScore {
  const endings = reading.endings.map((ending) => ending.condition);
  return best([
    ...applyRules(MEASURED, endings),
    ...applyRules(OBSERVED_STATE, endings),
    ...reading.changes.flatMap(outcomeOf),
    ...expectations(reading),
    ...checkedPlaces(reading, extras),
  ]);
}

/** A report that says what happens and what was expected leaves nothing open. */
function expectations({ clauses }: Reading): Earned[] {
  return clauses
    .filter(({ isExpected, text }) => isExpected && !VAGUE.test(text))
    .map(({ text }) => ({ points: 2, quote: text, reason: "says what is expected instead" }));
}

/** A named place and a check say together which result is wanted, and not how it looks. */
function checkedPlaces(reading: Reading, { criteria }: Extras): Earned[] {
  const check = criteria.find(({ hasCheck }) => hasCheck);
  if (check === undefined || !reading.changes.some((text) => findPlaces(text).length > 0)) return [];
  return [{ points: 1, quote: check.name, reason: "a check of the named place" }];
}

function outcomeOf(text: string): Earned[] {
  const findings = applyRules(END_STATES, [text]);
  const isOpenEnded = INVESTIGATION.test(text);
  const endStates: readonly Earned[] = isOpenEnded
    ? findMeasuredGoals(text).map((quote) => ({ points: 2, quote, reason: "a measurable target" }))
    : [...findings, ...closedWork(text), ...removals(text)];
  return [...endStates, ...findNamedResults(text)];
}

function closedWork(text: string): Earned[] {
  if (VAGUE_LEAD.test(text)) return [];
  const files = namedFiles(text);
  if (ADDITION.test(text) && files.length > 1)
    return files.map((quote) => ({ points: 2, quote, reason: "names each file to add" }));
  const sets = findClosedSets(text).filter(({ points }) => points === 2 || !ADDITION.test(text));
  return sets.map(({ quote }) => ({
    points: 2,
    quote,
    reason: "none of a closed set may be left",
  }));
}

function removals(text: string): Earned[] {
  if (!/\b(?:remove|rm|delete|drop|kill|eliminate|get rid of|strip|purge)\b/i.test(text)) return [];
  return findPlaces(text).map(({ quote }) => ({ points: 2, quote, reason: "names what must be gone" }));
}

/** A result one can name without knowing when it is reached. */
function findNamedResults(text: string): Earned[] {
  const metric = matches(METRIC, text).map((quote) => result(quote, "a metric without a target"));
  const symptom = matches(SYMPTOM, text).map((quote) => result(quote, "a symptom to remove"));
  return [
    ...metric,
    ...symptom,
    ...namedObject(text).map((quote) => result(quote, "a named result without a target")),
  ];
}

function result(quote: string, reason: string): Earned {
  return { points: 1, quote, reason };
}

const REPAIR_IN_PLACE =
  /\bfix\s(?:the\s|a\s|an\s|this\s)?((?:[\w'-]{1,30}\s){1,4})(?:in|of|on|for|at|with|between)\s/i;
const QUALITY_ONLY =
  /\b(?:[Mm]ake|[Gg]et|become|becomes)\s(?:.{1,80}?\b)?(?:better|nicer|great(?:er)?|good|beautiful|prettier|modern|cleaner|nice|awesome|perfect|work(?!\s(?:on|with|in)\s[A-Z])|right|ready(?!\sfor\b)|done|faster|look|feel|more (?!than\b)\w{2,20}$)\b(?!\s\w+ing)/;

const USER_STORY =
  /^(?:as an? .{1,80}?\bi (?:want|would like|need|can)|(?:i|we|users?|customers?|people)(?:['’]d|\swould)?\s(?:like|want|love))\b/i;

/** "We need an admin screen" names the screen. */
const NEED =
  /^(?:we|i|they|users?|customers?|people)\s(?:really\s|also\s|urgently\s)?need\s(?:an?|the|some|more)\s(.{1,200})$/i;

/** A note without a verb: "logging for the payment service". */
const NOUN_NOTE = /^(?:an?\s)?((?:[\w-]{2,30}\s){1,3})(?:for|in|to|on)\s(?:[\w-]{1,30}\s){0,4}[\w-]{2,30}$/i;
const COMPLAINT =
  /\b(?:bugs?|issues?|problems?|trouble|errors?|questions?|help|something|wrong|broken|mess)\b/i;

function notedObject(text: string): string[] {
  const noted = NOUN_NOTE.exec(text)?.[1];
  return noted === undefined ||
    COMPLAINT.test(text) ||
    REPAIR_VERB.test(text) ||
    !namingWords(text).some((word) => noted.includes(word))
    ? []
    : [noted.trim()];
}

/** That something is so, or bad: "the docs are confusing", "onboarding needs love". */
const COMPLAINS =
  /\b(?:is|are|was|were|isn't|aren't|doesn't|don't|feels?|looks?|needs?|seems?|sucks?|has|have|had|again|various|some|stuff|house|magic)\b/i;

/** A title names what is wanted, with a verb that nobody listed or with none: "Warn users before they leave", "Emails in French". */
function titledObject(text: string): string[] {
  if (COMPLAINS.test(text) || COMPLAINT.test(text) || namingWords(text).length < 2) return [];
  return [namingSpan(text) ?? text];
}

function namedObject(text: string): string[] {
  if (USER_STORY.test(text)) return [namingSpan(text.replace(USER_STORY, "")) ?? text.slice(0, 60)];
  const needed = NEED.exec(text)?.[1];
  if (needed !== undefined) return [namingSpan(needed) ?? []].flat();
  const repaired = REPAIR_IN_PLACE.exec(text)?.[1];
  if (repaired !== undefined && namingWords(text).some((word) => repaired.includes(word)))
    return [repaired.trim()];
  if (
    /^(?:(?:we|i|they|users?)\s(?:really\s)?(?:need|want|could use)\s)?(?:better|faster|improved|more)\s\w{3}/i.test(
      text,
    ) &&
    !/\bquality\b/i.test(text)
  )
    return [text.slice(0, 60)];
  if (QUALITY_ONLY.test(text) && !/\bfaster\b/i.test(text)) return [];
  const isWork = BUILD_VERB.test(text) || IMPROVE_VERB.test(text) || ORDER.test(text);
  const isRepair = REPAIR_VERB.test(text) && !leadsWithBuilding(text);
  if (!isWork && !isRepair) return [...notedObject(text), ...titledObject(text)].slice(0, 1);
  if (isRepair) return [];
  const name = namingSpan(text) ?? findPlaces(text)[0]?.quote;
  if (name !== undefined) return [name];
  return /\b(?:add|write|create)\s(?:\w{1,20}\s){0,2}tests?\b/i.test(text) ? [text.slice(0, 60)] : [];
}

function leadsWithBuilding(text: string): boolean {
  const building = Math.min(...[BUILD_VERB, IMPROVE_VERB].map((verb) => position(text.search(verb))));
  return building < position(text.search(REPAIR_VERB));
}

function position(index: number): number {
  return index === -1 ? Number.POSITIVE_INFINITY : index;
}
