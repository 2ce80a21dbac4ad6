import { commandMethods, statedMethods } from "./methods.ts";
import { readClauses, type Clause } from "./clause.ts";

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
  /(?:\b(?:done|finish(?:ed)?|completed?|stop|ready|over|(?<=^|[,;:]\s?|\b(?:and|then|to)\s)end)\s?(?::|=|\b(?:when|once|means|is when|is it when|after|as soon as|only when|only once)\b)|(?:definition of done)\b\s?(?:is|:|=)?)\s?(.{1,500})$/i;
/** As a note, or in a table: "When it works". */
const NOTED_ENDING = /^(?:when|once|as soon as)\s([^,]{1,300})$/i;
/** The condition comes first: "`make check` green, then we are done". */
const THEN_DONE =
  /^(.{1,300}),\s(?:and\s)?(?:then|so)\s(?:we|you|i|it|this)(?:['’](?:re|m|s)|\s(?:are|am|is))\s(?:done|finished|ready)$/i;
/** How long the program does something: "disable the button until the request is answered". */
const DOES_MEANWHILE =
  /\b(?:disabl|hid|show|wait|lock|block|cach|queu|hold|stay|visible|pending|valid)\w{0,4}\b[^.]{0,80}$/i;
const UNTIL = /\buntil\s(.{1,500})$/i;

const KEEP_DOING = /^keep\s\w{2,20}ing\b/i;
const CHECK_TAIL =
  /,\s?(?:and\s|while\s)?(?:all\s|the\s|existing\s|our\s){0,3}(?:\w{1,20}\s){0,2}(?:tests?|suite|build|lint|ci)\s(?:must|should|still|passe?s?|stays?|are|is)\b.{0,300}$/i;
const CHECK_STATEMENT =
  /\b(?:pass(?:es|ing)?|succeeds?|green|clean|exits? (?:with )?(?:code )?0|signs? off|no errors|covers?|verif(?:y|ied)|by hand|manual(?:ly)?)\b/i;
const CHECK_SUBJECT =
  /^(?:(?:all|the|every|existing|full|whole|both|make sure|ensure|check|verify|confirm|run|unit|integration)\b|`|(?:[\w-]{1,20}\s){0,3}(?:tests?|specs|suite|lint|build|ci|tsc|pytest|vitest|benchmarks?|qa)\b)/i;

const WORK_LEAD =
  /^(?:(?:then|and|also|please|finally)\s)?(?:add|create|build|implement|write|update|fix|make|get|bring|reduce|cut|shrink|move|remove|delete|rename|replace|introduce|support|handle|return|show|set|change|reject|validate|bump|upgrade|migrate|convert|refactor|improve|document)\b/i;

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
    changes: work.filter((clause) => !clause.isQuestion && !clause.isTold).map((clause) => clause.text),
    endings: clauses.flatMap(endingOf),
    limits: bare.filter(mayLimit).map((clause) => clause.text),
    checks: clauses
      .filter((clause) => clause.section !== "constraints" && clause.section !== "scope" && !clause.isTold)
      .map((clause) => withoutPurpose(clause.text)),
  };
}

/** How it is verified, when it ends, how things are and what is expected limit nothing. */
function mayLimit({ section, isQuestion, isTold, isExpected }: Clause): boolean {
  return section !== "success" && section !== "done" && !isQuestion && !isTold && !isExpected;
}

function endingOf(clause: Clause): Ending[] {
  if (clause.section === "done") return [{ quote: clause.text, condition: clause.text, isCertain: true }];
  const certain = ENDING.exec(clause.text);
  if (certain !== null) return [{ quote: certain[0], condition: certain[1] ?? "", isCertain: true }];
  const then = THEN_DONE.exec(clause.text);
  if (then !== null) return [{ quote: then[0], condition: then[1] ?? "", isCertain: true }];
  const noted = clause.isQuestion ? null : NOTED_ENDING.exec(clause.text);
  if (noted !== null) return [{ quote: noted[0], condition: noted[1] ?? "", isCertain: true }];
  const until = UNTIL.exec(clause.text);
  return until === null || DOES_MEANWHILE.test(clause.text.slice(0, until.index))
    ? []
    : [{ quote: until[0], condition: until[1] ?? "", isCertain: false }];
}

/** What somebody can do with the result: "so that I can compare them", "as an admin I can delete a user". */
const PURPOSE = /\bso (?:that )?(?:i|we|you|they|users?|people|customers?)\s.{1,500}$/i;
const STORY = /^as an? .{1,80}?\bi (?:want|would like|need|can)\b.{0,500}$/i;

function withoutPurpose(text: string): string {
  return text.replace(PURPOSE, "").replace(STORY, "");
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

const LEAD =
  /^(?:(?:and|but|also|please|you)\s)?(?:no|do not|don't|don’t|never|must not|mustn't|may not|cannot|keep|use|only|leave|avoid|preserve|maintain|retain|stay|without|max|maximum|at most|follow|stick|limit|respect|not|nothing|target|support)\b/i;

const STATEMENTS: readonly RegExp[] = [
  LEAD,
  /\b(?:must|may|should|can)\s?(?:not|n't)\b/i,
  /\bmay (?:only|grow|increase|rise|take)\b/i,
  /(?<!\breturn(?:s|ed|ing)?\s(?:\S{1,30}\s){0,3})\b(?:unchanged|untouched|off[- ]limits)\b/i,
  /\b(?:is|are) (?:forbidden|prohibited|not allowed)\b/i,
  /\bstays? (?:the same|compatible|as|pinned|locked|on|at)\b/i,
  /^[\w.+#-]{2,30} (?:only|[\d.]{1,8} stays)\b/i,
  /\bmust (?:keep (?:work|runn|build|pass|compil)ing|(?:stay|remain) (?:on|at|with|within|below|under))\b/i,
  /\b(?:must|has to|have to) work$/i,
  /\b(?:must|has to|have to|should) (?:still |keep |stay |continue to )?(?:work(?:ing)?|run(?:ning)?|build|compile|supported) (?:on|in|with|under)\b/i,
  /\b(?:signatures?|names?|codes?|exports?|apis?|schemas?|formats?) (?:[\w./`-]{1,40} ){0,6}?(?:stays?|remains?|(?:do|does)(?: not|n't) change|keeps?)\b/i,
];

/** The clause says what must hold, and not what to do. */
export function isLimit(text: string): boolean {
  return STATEMENTS.some((statement) => statement.test(text));
}

/** A note of limits: "plain HTML, no JavaScript, under 100 kB". */
const LISTED_EXCLUSION =
  /(?:^|,\s)no\s(?!(?:errors?|warnings?|failures?|more|longer)\b)[\w-]{1,30}(?:\s[\w-]{1,30}){0,2}(?:,|$)/i;

function listsExclusions(text: string): boolean {
  return LISTED_EXCLUSION.test(text);
}

/** "Two workers must never take the same job" is the work itself. */
const TAILS: readonly RegExp[] = [
  /(?:,|\s[-–—])?\s?(?:\b(?:but|and|while)\s)?\b(?:do not|don't|don’t|(?<!\b(?:must|should|may|can|will|is|are)\s)never|must not|no (?:new|other|additional|extra)|keeping|keep (?:the|all|our|it|every|existing)\b|use (?:the|our) (?:existing|current)\b|using only)\b.{0,500}$/i,
  /(?:,|\s[-–—])?\s?(?:\b(?:but|and|while)\s)?\bwithout (?:\w{2,20}ing|any|an?|downtime|data loss|regressions?|new|additional|extra|further|side effects)\b.{0,500}$/i,
  /(?:,|\s[-–—])\s?(?:at most|max(?:imum)?|(?:patch|minor)\s\w{4,12}\sonly)\b.{0,500}$/i,
  /,\s?(?:[\w. ]{1,40}\s)?must (?:still|keep|stay|work|run|remain)\b.{0,500}$/i,
  /(?:,|:|\s[-–—])\s[\w.+#-]{2,30}\sonly\b.{0,500}$/i,
];

/** The clause without the limits that end it. */
function withoutLimits(text: string): string {
  return TAILS.reduce((rest, tail) => rest.replace(tail, ""), text);
}

/** The limits that end a clause about the work, without the words that join them to it; empty if there are none. */
export function limitsAtEnd(text: string): string {
  if (isLimit(text) && !WORK_LEAD.test(text)) return "";
  return text
    .slice(withoutLimits(text).length)
    .replace(/^[\s,:–—-]*(?:(?:but|and|while)\s)?/i, "")
    .trim();
}
