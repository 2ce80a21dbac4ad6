import type { SpecScore } from "./score.ts";

export type PlainShape = "intent" | "colleague" | "tool";

export function plainShape(total: number): PlainShape {
  if (total >= 8) return "tool";
  return total >= 5 ? "colleague" : "intent";
}

/** Who says "keep going" doesn't want to be asked after each iteration. */
export function shapeOfSpec(spec: string, total: number): PlainShape {
  const shape = plainShape(total);
  return shape === "colleague" && persistenceIn(spec) !== null ? "tool" : shape;
}

type WorkflowShape = "blocked" | "colleague" | "tool-review" | "tool";

export function workflowShape(fit: number): WorkflowShape {
  if (fit >= 40) return "tool";
  if (fit >= 30) return "tool-review";
  return fit >= 25 ? "colleague" : "blocked";
}

const FAMILIARITY_LIMIT = 10;
/** Ten points, three dimensions that are explicit, and a project that is well known. */
export const FIT_LIMIT = 5 * 10 + 5 * 3 + FAMILIARITY_LIMIT;

export function fitScore(score: SpecScore, familiarity = 0): number {
  const explicit = [score.constraints, score.success, score.done].filter((points) => points === 2).length;
  return 5 * score.total + 5 * explicit + clampFamiliarity(familiarity);
}

function clampFamiliarity(familiarity: number): number {
  return Number.isNaN(familiarity) ? 0 : Math.min(Math.max(familiarity, 0), FAMILIARITY_LIMIT);
}

/** At the beginning of a clause, so that it is an instruction: "Node 18 must keep working" isn't one. */
const KEEP_GOING =
  /(?:^|[.;,:!?\n]|\b(?:and|then|please|just)\b)\s{0,5}((?:keep|continue|carry on)\s(?:going|working|trying|iterating|at it|[a-z]{3,20}ing\b[^.;\n]{0,80}\buntil)\b)/i;
/** "Don't stop the server" is about a server. */
const NOT_STOP =
  /\b((?:don['’]?t|do not|never)\s(?:stop|quit|give up)|without (?:stopping|a break))\b(?!\s(?:the|a|an|any|its?|using)\b)/i;
/** "Without asking me", "no matter how long it takes". */
const UNASKED =
  /\b((?:don['’]?t|do not|never) ask (?:me|us|again|questions)|without asking(?: me| us)?|no matter how long|(?:however|as) long as? it takes)\b/i;
const UNTIL =
  /(?<!\b(?:the|a|each|every) )\b(?:un)?till?\s[^.;\n]{0,80}?(?:\b(?:pass(?:es|ing)?|green|succeeds?|works?|clean|done|finished|completed?|reaches|at least|zero|none|no)\b|≥|>=|\d\s?%)/i;
/** "The banner must not show until the import is done", "poll until it is finished": when something happens, not how long to work. */
const BEHAVIOUR =
  /\b(?:not|never|only|n['’]t|hidden|(?:disable|block|wait|poll|retry|retrie|show|display|hide|stay|remain|queue|buffer|cache|hold|lock|sleep|delay|defer|pause|return)(?:s|es|d|ed|ing)?)\b[^.;\n]{0,80}$/i;

/** The words with which a spec says to go on until it is done; null: it doesn't. */
export function persistenceIn(spec: string): string | null {
  const said = KEEP_GOING.exec(spec)?.[1] ?? NOT_STOP.exec(spec)?.[1] ?? UNASKED.exec(spec)?.[1];
  if (said !== undefined) return said;
  const until = UNTIL.exec(spec);
  if (until === null || BEHAVIOUR.test(spec.slice(Math.max(0, until.index - 100), until.index))) return null;
  return until[0];
}
