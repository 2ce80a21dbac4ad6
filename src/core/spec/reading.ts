import { commandMethods, statedMethods } from "./check-method.ts";
import { readClauses, type Clause } from "./clause.ts";
import { isLimit, listsExclusions, withoutLimits } from "./limit-clause.ts";

/** The spec taken apart by the role of its words. */
export interface Reading {
  readonly clauses: readonly Clause[];
  /** What is to be changed, without endings, limits and checks. */
  readonly work: readonly string[];
  /** The work without the questions: what shall be different. */
  readonly changes: readonly string[];
  /** What must be true at the end: the words after "done when" or "until". */
  readonly endings: readonly Ending[];
  /** Everything that may state a constraint. */
  readonly limits: readonly string[];
  /** Everything that may state how the work is verified. */
  readonly checks: readonly string[];
}

export interface Ending {
  readonly quote: string;
  readonly condition: string;
  /** "until" also occurs in the work itself ("cached until it expires"). */
  readonly isCertain: boolean;
}

const ENDING =
  /\b(?:(?:done|finish(?:ed)?|completed?|stop|ready|over|end)\s?(?::|=|\b(?:when|once|means|is when|after|as soon as|only when|only once)\b)|(?:definition of done)\b\s?(?:is|:|=)?)\s?(.{1,500})$/i;
const UNTIL = /\buntil\s(.{1,500})$/i;

const KEEP_DOING = /^keep\s\w{2,20}ing\b/i;
const CHECK_TAIL =
  /,\s?(?:and\s|while\s)?(?:all\s|the\s|existing\s|our\s){0,3}(?:\w{1,20}\s){0,2}(?:tests?|suite|build|lint|ci)\s(?:must|should|still|passe?s?|stays?|are|is)\b.{0,300}$/i;
const CHECK_STATEMENT =
  /\b(?:pass(?:es|ing)?|succeeds?|green|clean|exits? (?:with )?(?:code )?0|signs? off|no errors|covers?|verif(?:y|ied)|by hand|manual(?:ly)?)\b/i;
const CHECK_SUBJECT =
  /^(?:(?:all|the|every|existing|full|whole|both|make sure|ensure|check|verify|confirm|run|unit|integration)\b|`|(?:[\w-]{1,20}\s){0,3}(?:tests?|specs|suite|lint|build|ci|tsc|pytest|vitest|benchmarks?|qa)\b)/i;

const WORK_LEAD =
  /^(?:(?:then|and|also|please|finally)\s)?(?:add|create|build|implement|write|update|fix|make|move|remove|delete|rename|replace|introduce|support|handle|return|show|set|change|reject|validate|bump|upgrade|migrate|convert|refactor|improve|document)\b/i;

export function readSpec(spec: string): Reading {
  const clauses = readClauses(spec);
  const bare = clauses.map((clause) => ({
    ...clause,
    text: withoutEnding(clause.text),
    ending: endingOf(clause)[0]?.condition,
  }));
  const work = bare.filter(isWork).map(withoutTails).filter(hasText).map(workOf);
  return {
    clauses,
    work: work.map((clause) => clause.text),
    changes: work.filter((clause) => !clause.isQuestion).map((clause) => clause.text),
    endings: clauses.flatMap(endingOf),
    limits: bare
      .filter((clause) => clause.section !== "success" && clause.section !== "done" && !clause.isQuestion)
      .map((clause) => clause.text),
    checks: clauses
      .filter((clause) => clause.section !== "constraints" && clause.section !== "scope")
      .map((clause) => clause.text),
  };
}

function endingOf(clause: Clause): Ending[] {
  if (clause.section === "done") return [{ quote: clause.text, condition: clause.text, isCertain: true }];
  const certain = ENDING.exec(clause.text);
  if (certain !== null) return [{ quote: certain[0], condition: certain[1] ?? "", isCertain: true }];
  const until = UNTIL.exec(clause.text);
  return until === null ? [] : [{ quote: until[0], condition: until[1] ?? "", isCertain: false }];
}

function withoutTails<Part extends Clause>(clause: Part): Part {
  return { ...clause, text: withoutLimits(clause.text).replace(CHECK_TAIL, "") };
}

const GOING_ON =
  /^(?:please\s)?(?:loop|keep going|go on|continue|iterate|work|carry on|don't stop|do not stop|keep at it|run)$/i;

/** "Keep going until the tests pass" says with its end what the work is. */
function workOf(clause: Clause & { readonly ending: string | undefined }): Clause {
  return GOING_ON.test(clause.text) && clause.ending !== undefined
    ? { ...clause, text: clause.ending }
    : clause;
}

function hasText(clause: Clause): boolean {
  return clause.text !== "";
}

function withoutEnding(text: string): string {
  return text.replace(ENDING, "").replace(UNTIL, "").trim();
}

/** The opening clause is the request itself, however it is put. */
function isWork(clause: Clause, index: number): boolean {
  if (clause.section !== undefined) return clause.section === "outcome" || clause.section === "scope";
  if (index === 0 || KEEP_DOING.test(clause.text)) return true;
  if (isLimit(clause.text)) return false;
  if (CHECK_SUBJECT.test(clause.text) && CHECK_STATEMENT.test(clause.text)) return false;
  if (WORK_LEAD.test(clause.text)) return true;
  return (
    !listsExclusions(clause.text) &&
    commandMethods(clause.text).length + statedMethods(clause.text).length === 0
  );
}
