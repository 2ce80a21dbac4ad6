import type { Reading } from "./reading.ts";
import {
  EXPLICIT_LIMITS,
  GENERAL_LIMITS,
  MEANS,
  NUMBER_LIMITS,
  TECHNICAL_LIMITS,
  PLACE_LIMITS,
  VERSION_LIMITS,
} from "./limit-rules.ts";
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

/** "Do not panic on empty input" is the request itself. */
const OPENING_PROHIBITION = /^(?:please\s)?(?:do not|don't|don’t|never)\s/i;

export function scoreConstraints(reading: Reading, extras: Extras): DimensionScore {
  const limits = reading.limits.map((text, index) =>
    index === 0 ? text.replace(OPENING_PROHIBITION, "") : text,
  );
  const sections = reading.clauses
    .filter((clause) => clause.section === "constraints")
    .map((clause) => clause.text);
  const technical = [
    ...applyRules([...TECHNICAL_LIMITS, ...PLACE_LIMITS, ...VERSION_LIMITS], limits),
    ...applyRules(
      NUMBER_LIMITS,
      limits.filter((text) => !isGoal(text, reading)),
    ),
    ...extras.mustNots.map((quote) => ({ points: 2 as Points, quote, reason: "given with --must-not" })),
  ];
  const explicit = distinct([
    ...applyRules(EXPLICIT_LIMITS, limits),
    ...sections.flatMap(listedLimits),
    ...extras.protects.map((quote) => ({ points: 1 as Points, quote, reason: "given with --protect" })),
  ]);
  if (technical.length > 0) return best(technical);
  if (explicit.length > 1) return { points: 2, findings: explicit };
  const all = [...explicit, ...applyRules([...GENERAL_LIMITS, ...MEANS], limits)];
  return all.length === 0 ? NOTHING : best(all);
}

/** "At most 3 queries" is what the work is for, and so no limit to it. */
function isGoal(text: string, { changes }: Reading): boolean {
  return changes.includes(text) && findMeasuredGoals(text).length > 0;
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
