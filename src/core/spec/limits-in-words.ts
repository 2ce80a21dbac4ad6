import { readClauses, type Clause } from "./clause.ts";
import {
  EXPLICIT_LIMITS,
  GENERAL_LIMITS,
  NUMBER_LIMITS,
  PLACE_LIMITS,
  TECHNICAL_LIMITS,
  VERSION_LIMITS,
} from "./limit-rules.ts";
import { persistenceIn } from "./persistence.ts";
import { isLimit, limitsAtEnd } from "./reading.ts";
import { applyRules } from "./rule.ts";
import { constraintIn, limitParts } from "./stated-constraints.ts";

const SAID = [...TECHNICAL_LIMITS, ...PLACE_LIMITS, ...VERSION_LIMITS, ...EXPLICIT_LIMITS, ...GENERAL_LIMITS];
const OF_LIMITS = [...SAID, ...NUMBER_LIMITS];
const OPENING_PROHIBITION = /^(?:please\s)?(?:do not|don't|don’t|never)\s/i;
const NONE = /^(?:none|n\/a|nothing|-)$/i;

/**
 * What a spec says must hold and the machine can't tell, each as a whole clause: "the public API must not change". The means that it
 * names ("to use the new logger") are the work itself.
 */
export function limitsInWords(spec: string): readonly string[] {
  const limits = readClauses(spec)
    .filter(({ isQuestion, section }) => !isQuestion && section !== "scope" && section !== "success")
    .flatMap((clause, index) => limitParts(clause.text).flatMap((part) => limitIn(part, clause, index === 0)))
    // "Don't stop" says how long to work, and limits nothing.
    .filter((limit) => persistenceIn(limit) === null && constraintIn(limit).length === 0);
  return [...new Set(limits)];
}

function limitIn(part: string, { section }: Clause, isFirst: boolean): readonly string[] {
  if (section === "constraints") return NONE.test(part) ? [] : [part];
  // "Do not panic on empty input" is the request itself.
  if (isFirst && OPENING_PROHIBITION.test(part)) return [];
  const tail = limitsAtEnd(part);
  if (tail !== "") return limitParts(tail).filter((each) => applyRules(OF_LIMITS, [each]).length > 0);
  return applyRules(isLimit(part) ? OF_LIMITS : SAID, [part]).length === 0 ? [] : [part];
}
