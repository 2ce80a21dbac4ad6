import { readClauses, type Clause } from "./clause.ts";
import { limitParts, constraintIn, statedConstraints } from "./stated-constraints.ts";
import {
  EXPLICIT_LIMITS,
  GENERAL_LIMITS,
  HELD_NUMBERS,
  HELD_STATES,
  NAMED_LIMITS,
  NUMBER_LIMITS,
  PLACE_LIMITS,
  TECHNICAL_LIMITS,
  VERSION_LIMITS,
} from "./limit-rules.ts";
import { pathLimitIn } from "./path-limits.ts";
import { persistenceIn } from "./shape.ts";
import { isLimit, limitsAtEnd } from "./reading.ts";
import { applyRules } from "./rule.ts";

const SAID = [
  ...TECHNICAL_LIMITS,
  ...PLACE_LIMITS,
  ...VERSION_LIMITS,
  ...NAMED_LIMITS,
  ...HELD_NUMBERS,
  ...HELD_STATES,
  ...EXPLICIT_LIMITS,
  ...GENERAL_LIMITS,
];
const OF_LIMITS = [...SAID, ...NUMBER_LIMITS];
const NONE = /^(?:none|n\/a|nothing|-)$/i;

/** "Do not panic on empty input" is the request itself; "do not use strcpy" is about the work. */
const OPENING_PROHIBITION =
  /^(?:please\s)?(?:do not|don't|don’t|dont|never)\s(?!(?:chang|touch|modif|edit|alter|us[ei]|add|pull|install|introduc|renam|upgrad|bump|remov|delet|mov|commit|push|break|rewrit|refactor|reformat|disabl|skip|mock)\w{0,4}\b)/i;

/** Something that is so, and nothing that must be: "we do not use it any more", "no one can read it". */
const FACT =
  /^(?:and\s|but\s|so\s)?(?:we|i|they|it|you|he|she|users?|people|customers?|nobody|that|this)\s(?:still\s)?(?:do|does|did|can|could)(?:\snot|n't|n’t)\s(?!want\b|like\b)|^no one\b/i;
/** What an "only" says again: "everything else stays as it is". */
const THE_REST = /^(?:everything|anything|all|nothing|no) (?:else|other(?: files?)?|the rest)\b/i;

/**
 * What a spec says must hold and the machine can't tell, each as a whole clause: "the public API must not change". The means that it
 * names ("to use the new logger") are the work itself.
 */
export function limitsInWords(spec: string): readonly string[] {
  const hasBoundary = statedConstraints(spec).some(({ kind }) => kind === "only");
  const limits = readClauses(spec)
    .filter(({ isQuestion, section }) => !isQuestion && section !== "scope" && section !== "success")
    .filter(({ text }) => pathLimitIn(text)?.kind !== "only")
    .flatMap((clause, index) =>
      limitParts(clause.text).flatMap((part, at) => limitIn(part, clause, index === 0 && at === 0)),
    )
    // "Don't stop" says how long to work, and limits nothing.
    .filter((limit) => persistenceIn(limit) === null && constraintIn(limit).length === 0)
    .filter((limit) => !(hasBoundary && THE_REST.test(limit)));
  return [...new Set(limits)];
}

function limitIn(part: string, clause: Clause, isFirst: boolean): readonly string[] {
  if (clause.isForbidden) return NONE.test(part) ? [] : [forbidden(part)];
  if (clause.section === "constraints") return NONE.test(part) ? [] : [part];
  if (FACT.test(part) || (isFirst && OPENING_PROHIBITION.test(part))) return [];
  const tail = limitsAtEnd(part);
  if (tail !== "") return limitParts(tail).filter((each) => applyRules(OF_LIMITS, [each]).length > 0);
  return applyRules(isLimit(part) ? OF_LIMITS : SAID, [part]).length === 0 ? [] : [part];
}

export const FORBIDDEN_LEAD = "Must not: ";
const NEGATED = /^(?:no|not|do not|don't|don’t|never|without|must not|avoid)\b/i;

/** Read without its heading, "change the wire format" would ask for it. */
function forbidden(part: string): string {
  return NEGATED.test(part) ? part : `${FORBIDDEN_LEAD}${part}`;
}
