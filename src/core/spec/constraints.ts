import type { Reading } from "./reading.ts";
import {
  DEMANDED_NUMBERS,
  DEMANDED_STATES,
  EXPLICIT_LIMITS,
  GENERAL_LIMITS,
  HELD_NUMBERS,
  HELD_STATES,
  MEANS,
  NAMED_LIMITS,
  NUMBER_LIMITS,
  TECHNICAL_LIMITS,
  PLACE_LIMITS,
  VERSION_LIMITS,
} from "./limit-rules.ts";
import { persistenceIn } from "./shape.ts";
import { findMeasuredGoals } from "./target.ts";
import {
  applyRules,
  best,
  NOTHING,
  type DimensionScore,
  type Extras,
  type Earned,
  type Points,
} from "./rule.ts";

/** In the opening sentence these are the request itself: "do not panic on empty input", "two workers must never take the same job". */
const REQUESTED: readonly RegExp[] = [
  /^(?:please\s)?(?:do not|don't|don’t|never)\s/i,
  /^(?:please\s)?use\s(?=[\w-]{2,40}\s[\w-]{2,40}\s(?:in|for|on|instead)\b)/i,
  /\b(?:must|should|may|shall)\s(?:not|never)\s(?!(?:be\s)?(?:chang|touch|edit|modif|alter|break|grow|exceed|increas|add|remov|renam|mov)\w{0,4}\b)/i,
];

export function scoreConstraints(reading: Reading, extras: Extras): DimensionScore {
  const limits = reading.limits
    .map((text, index) =>
      index === 0 ? REQUESTED.reduce((rest, requested) => rest.replace(requested, ""), text) : text,
    )
    .map(withoutPersistence);
  const sections = reading.clauses
    .filter((clause) => clause.section === "constraints")
    .map((clause) => clause.text);
  const technical = [
    ...applyRules(
      [...TECHNICAL_LIMITS, ...PLACE_LIMITS, ...VERSION_LIMITS, ...NAMED_LIMITS, ...HELD_NUMBERS],
      limits,
    ),
    ...applyRules(DEMANDED_NUMBERS, besideTheRequest(limits)),
    ...applyRules(NUMBER_LIMITS, limits.filter((text) => !isGoal(text, reading)).map(withoutAsides)),
    ...extras.mustNots.map((quote) => ({ points: 2 as Points, quote, reason: "given with --must-not" })),
  ];
  const explicit = distinct([
    ...applyRules([...EXPLICIT_LIMITS, ...HELD_STATES], limits),
    ...applyRules(DEMANDED_STATES, besideTheRequest(limits)),
    ...sections.flatMap(listedLimits),
    ...extras.protects.map((quote) => ({ points: 1 as Points, quote, reason: "given with --protect" })),
  ]);
  if (technical.length > 0) return best(technical);
  if (explicit.length > 1) return { points: 2, findings: explicit };
  const all = [...explicit, ...applyRules([...GENERAL_LIMITS, ...MEANS], limits)];
  return all.length === 0 ? NOTHING : best(all);
}

/** "Don't stop" says how long to work, and limits nothing. */
function withoutPersistence(text: string): string {
  const said = persistenceIn(text);
  return said === null ? text : text.replace(said, "");
}

/** Sentences after the first, and what the first one says after a colon. */
function besideTheRequest([first = "", ...others]: readonly string[]): readonly string[] {
  const colon = first.indexOf(": ");
  return colon === -1 ? others : [first.slice(colon + 2), ...others];
}

/** "At most 3 queries" is what the work is for, and so no limit to it. */
function isGoal(text: string, { changes }: Reading): boolean {
  return changes.includes(text) && findMeasuredGoals(text).length > 0;
}

/** "An optional note (max. 200 characters)" describes the note. */
function withoutAsides(text: string): string {
  return text.replaceAll(/\([^()]{1,80}\)/g, " ");
}

function listedLimits(text: string): Earned[] {
  if (/^(?:none|n\/a|nothing|-)$/i.test(text)) return [];
  return text
    .split(/,\s/, 6)
    .map((quote) => ({ points: 1, quote: quote.trim(), reason: "listed as a constraint" }));
}

/** Two rules that met the same words are one constraint. */
function distinct(findings: readonly Earned[]): Earned[] {
  return findings.filter(
    (finding, index) => !findings.slice(0, index).some((earlier) => overlaps(earlier.quote, finding.quote)),
  );
}

function overlaps(left: string, right: string): boolean {
  return left.includes(right) || right.includes(left);
}
