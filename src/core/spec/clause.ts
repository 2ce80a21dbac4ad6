import type { Dimension } from "./rule.ts";

/** A sentence, list item or heading's line of the spec. */
export interface Clause {
  readonly text: string;
  /** The dimension its heading or label names ("Constraints: …"). */
  readonly section: Dimension | undefined;
  readonly isQuestion: boolean;
}

const LOOKED_AT_LIMIT = 20_000;
const CLAUSE_LENGTH_LIMIT = 1_000;
const CLAUSE_COUNT_LIMIT = 1_000;

const SECTIONS: readonly { readonly name: RegExp; readonly section: Dimension }[] = [
  {
    name: /^(?:definition of done|done(?: when)?|exit(?: condition| criteria)?|finish(?:ed)?(?: when)?|end state)$/i,
    section: "done",
  },
  {
    name: /^(?:goals?|outcomes?|objectives?|tasks?|what|summary|expected(?: behaviou?r)?)$/i,
    section: "outcome",
  },
  { name: /^(?:in )?scope$|^(?:where|files?|affected files|area)$/i, section: "scope" },
  {
    name: /^(?:(?:technical )?constraints?|rules?|must[ -]nots?|non[- ]goals?|out of scope|limits|restrictions|guard ?rails|requirements?: non-functional)$/i,
    section: "constraints",
  },
  {
    name: /^(?:acceptance(?: criteria)?|success(?: criteria)?|verification|verify|verified by|validation|how to (?:test|verify)|test(?:s|ing| plan)?|checks?|qa)$/i,
    section: "success",
  },
];

export function readClauses(spec: string): Clause[] {
  const clauses: Clause[] = [];
  let heading: Dimension | undefined;
  for (const line of spec.slice(0, LOOKED_AT_LIMIT).split(/\r\n|\r|\n/)) {
    const { title, label, body } = readLine(line);
    if (title !== undefined) heading = sectionOf(title);
    if (label !== undefined && body === "") heading = sectionOf(label);
    const section = label === undefined ? heading : sectionOf(label);
    for (const sentence of splitSentences(body)) clauses.push({ ...sentence, section });
  }
  return clauses.slice(0, CLAUSE_COUNT_LIMIT);
}

interface Line {
  readonly title?: string;
  readonly label?: string;
  readonly body: string;
}

const LIST_MARK = /^\s{0,40}(?:[-*+•]\s|\d{1,3}[.)]\s)?\s{0,8}(?:\[[ xX]?\]\s)?/;
const HEADING = /^\s{0,8}#{1,6}\s{1,8}(.{1,200})$/;
const LABEL = /^([A-Za-z][A-Za-z -]{1,30}):\s{0,8}(.*)$/;

function readLine(line: string): Line {
  const heading = HEADING.exec(line)?.[1];
  if (heading !== undefined) return { title: heading.replace(/:?\s*$/, ""), body: titleBody(heading) };
  const text = line.replace(LIST_MARK, "").replaceAll("**", "");
  const [, label, body = ""] = LABEL.exec(text) ?? [];
  const isLabel = label !== undefined && (sectionOf(label) !== undefined || PLAIN_LABEL.test(label));
  return isLabel ? { label, body } : { body: text };
}

/** Labels that say what a line is about, and nothing more: "Boundaries: none" is "none". */
const PLAIN_LABEL = /^(?:boundaries|checking|ending)$/i;

/** A heading that names a section, or is one word, asks for nothing itself. */
function titleBody(heading: string): string {
  return sectionOf(heading.replace(/:?\s*$/, "")) !== undefined || !/\s/.test(heading.trim()) ? "" : heading;
}

function sectionOf(name: string): Dimension | undefined {
  return SECTIONS.find((entry) => entry.name.test(name.trim()))?.section;
}

/** Splits after `.`, `;`, `!` or `?` before a space, but never inside backticks. */
function splitSentences(line: string): Omit<Clause, "section">[] {
  const sentences: Omit<Clause, "section">[] = [];
  let start = 0;
  let inCode = false;
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index];
    if (character === "`") inCode = !inCode;
    const atEnd = index === line.length - 1;
    const isBreak = /[.;!?]/.test(character ?? "") && /\s/.test(line[index + 1] ?? "") && !inCode;
    const isShortForm = /\b(?:e\.g|i\.e|etc|vs|approx|incl|max|min|resp|approx)\.$/i.test(
      line.slice(Math.max(0, index - 7), index + 1),
    );
    if (!atEnd && (!isBreak || isShortForm)) continue;
    const sentence = line.slice(start, index + 1).trim();
    const text = sentence
      .replace(/[.;!?]+$/, "")
      .trim()
      .slice(0, CLAUSE_LENGTH_LIMIT);
    if (text !== "") sentences.push({ text, isQuestion: isQuestion(text, sentence.endsWith("?")) });
    start = index + 1;
  }
  return sentences;
}

const ASKED =
  /^(?:(?:and|but|so|hi|hello|hey|also|btw)[\s,]{1,2})?(?:does|do|did|is|are|was|were|has|have|had|will|should|shall|would|could|can|may|might|what|which|who|where|when|how|isn't|aren't|doesn't|don't|didn't|won't|shouldn't|any idea|anyone)\b/i;
const WONDERED =
  /^(?:(?:and|but|so)\s)?(?:why|how come|is it possible that|could it be|i wonder|wondering)\b/i;
/** "Can you add…?" asks for work and not for an answer. */
const POLITE_REQUEST =
  /^(?:(?:and|but|so|hi|hello|hey|also|btw)[\s,]{1,2})?(?:(?:can|could|would|will|may)\s(?:you|we|i|someone|somebody|anyone)|is it possible to|would it be possible to|do you mind|would you mind|should\s(?!we\b|i\b)\w{1,20}\snot)\b/i;

/** A sentence that wants to know whether something holds, and asks for no change. */
function isQuestion(text: string, hasQuestionMark: boolean): boolean {
  if (POLITE_REQUEST.test(text)) return false;
  return WONDERED.test(text) || (hasQuestionMark && ASKED.test(text));
}
