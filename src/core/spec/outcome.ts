import { findClosedSets } from "./closed-set.ts";
import { best, type DimensionScore, type Extras, type Finding } from "./dimension.ts";
import { findPlaces } from "./place.ts";
import type { Reading } from "./reading.ts";
import { END_STATES } from "./end-states.ts";
import { findNamedResults } from "./named-result.ts";
import { applyRules } from "./rule.ts";
import { MEASURED, OBSERVED_STATE } from "./target.ts";

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
    ...checkedPlaces(reading, extras),
  ]);
}

/** A named place and a check say together which result is wanted, and not how it looks. */
function checkedPlaces(reading: Reading, { criteria }: Extras): Finding[] {
  const check = criteria.find(({ hasCheck }) => hasCheck);
  if (check === undefined || !reading.changes.some((text) => findPlaces(text).length > 0)) return [];
  return [{ points: 1, quote: check.name, reason: "a check of the named place" }];
}

function outcomeOf(text: string): Finding[] {
  const findings = applyRules(END_STATES, [text]);
  const isOpenEnded = INVESTIGATION.test(text);
  const endStates = isOpenEnded
    ? applyRules(MEASURED, [text])
    : [...findings, ...closedWork(text), ...removals(text)];
  return [...endStates, ...findNamedResults(text)];
}

function closedWork(text: string): Finding[] {
  if (VAGUE_LEAD.test(text)) return [];
  const sets = findClosedSets(text).filter(({ points }) => points === 2 || !ADDITION.test(text));
  return sets.map(({ quote }) => ({
    points: 2,
    quote,
    reason: "none of a closed set may be left",
  }));
}

function removals(text: string): Finding[] {
  if (!/\b(?:remove|delete|drop|kill|eliminate|get rid of|strip|purge)\b/i.test(text)) return [];
  return findPlaces(text).map(({ quote }) => ({ points: 2, quote, reason: "names what must be gone" }));
}
