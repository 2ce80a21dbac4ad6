import { isCommand } from "./code.ts";
import type { Dimension } from "./rule.ts";
import { NO_SECTION, sectionOf, type Section } from "./sections.ts";

/** A sentence, list item or heading's line of the spec. */
export interface Clause {
  readonly text: string;
  /** The dimension its heading or label names ("Constraints: …"). */
  readonly section: Dimension | undefined;
  /** Its heading or label says that it has to be true at the end ("Requirements: …"). */
  readonly isDemand: boolean;
  /** Its heading or label says that it must not be done ("Out of scope: …"). */
  readonly isForbidden: boolean;
  /** Its heading or label says that it tells how things are ("Steps to reproduce"). */
  readonly isTold: boolean;
  /** Its heading or label says that it shall be so instead ("Expected"). */
  readonly isExpected: boolean;
  readonly isQuestion: boolean;
}

const LOOKED_AT_LIMIT = 20_000;
const CLAUSE_LENGTH_LIMIT = 1_000;
const CLAUSE_COUNT_LIMIT = 1_000;

export function readClauses(spec: string): Clause[] {
  const clauses: Clause[] = [];
  const place = new Place();
  for (const line of wholeLines(spec.slice(0, LOOKED_AT_LIMIT))) {
    if (place.isFence(line)) continue;
    const read = readLine(line);
    const section = place.sectionAt(read);
    const isDemand = section.demands === "all" || (section.demands === "items" && read.isItem);
    for (const sentence of splitSentences(read.body)) {
      const labelled = labelledSentence(sentence.text);
      clauses.push({
        ...sentence,
        text: labelled?.text ?? sentence.text,
        section: (labelled?.section ?? section).dimension,
        isForbidden: (labelled?.section ?? section).forbids,
        isTold: (labelled?.section ?? section).tells,
        isExpected: (labelled?.section ?? section).expects,
        isDemand:
          (labelled === null ? isDemand : labelled.section.demands === "all") &&
          (!place.isInCode || isCommand(sentence.text)),
      });
    }
  }
  return clauses.slice(0, CLAUSE_COUNT_LIMIT);
}

/** Under which heading or label a line stands. */
class Place {
  isInCode = false;
  #headings: readonly { readonly level: number; readonly section: Section }[] = [];
  /** A label's section ends with the first text below its list. */
  #label: { readonly section: Section; isListed: boolean; isAfterBlank: boolean } | null = null;

  isFence(line: string): boolean {
    const isFence = /^\s{0,40}(?:```|~~~)/.test(line);
    if (isFence) this.isInCode = !this.isInCode;
    return isFence;
  }

  sectionAt({ level, title, label, body, isItem }: Line): Section {
    if (title !== undefined) {
      this.#label = null;
      const above = this.#headings.filter((each) => each.level < level);
      this.#headings = [...above, { level, section: sectionOf(title) ?? inherited(above.at(-1)) }];
    }
    if (label !== undefined) {
      const section = sectionOf(label) ?? NO_SECTION;
      if (body === "") this.#label = { section, isListed: false, isAfterBlank: false };
      return section;
    }
    const around = this.#headings.at(-1)?.section ?? NO_SECTION;
    if (this.#label === null) return around;
    if (body === "") this.#label.isAfterBlank = this.#label.isListed;
    else if (isItem) this.#label.isListed = true;
    else if (this.#label.isAfterBlank) this.#label = null;
    return this.#label?.section ?? around;
  }
}

/** Headings below "Acceptance criteria" group them. The title of the whole says nothing about its parts. */
function inherited(above: { readonly level: number; readonly section: Section } | undefined): Section {
  const isGroup = above !== undefined && above.level > 1 && above.section.demands !== "nothing";
  return isGroup ? above.section : NO_SECTION;
}

interface Line {
  readonly level: number;
  readonly title?: string;
  readonly label?: string;
  readonly body: string;
  readonly isItem: boolean;
}

const ITEM = /^\s{0,40}(?:[-*+•]\s|\d{1,3}[.)]\s)/;
const LIST_MARK = /^\s{0,40}(?:[-*+•]\s|\d{1,3}[.)]\s)?\s{0,8}(?:\[[ xX]?\]\s)?/;
const HEADING = /^\s{0,8}(#{1,6})\s{1,8}(.{1,200})$/;
const LABEL = /^([A-Za-z][A-Za-z -]{1,30}(?:\([^()]{1,30}\))?):\s{0,8}(.*)$/;

const BARE_NAME = /^(?!.*\s(?:for|of)\s(?!done|scope))[A-Za-z -]{2,40}$/;

/** An item that goes on in indented lines is one line. */
function wholeLines(text: string): readonly string[] {
  const lines: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const last = lines.at(-1);
    const isRest = /^\s{2,40}\S/.test(line) && !ITEM.test(line) && !/^\s{0,40}(?:```|~~~|#)/.test(line);
    if (isRest && last !== undefined && ITEM.test(last)) lines[lines.length - 1] = `${last} ${line.trim()}`;
    else lines.push(line);
  }
  return lines;
}

function readLine(line: string): Line {
  const [, marks = "", heading] = HEADING.exec(line) ?? [];
  if (heading !== undefined)
    return {
      level: marks.length,
      title: heading.replace(/:?\s*$/, ""),
      body: titleBody(heading),
      isItem: false,
    };
  const isItem = ITEM.test(line);
  const text = line.replace(LIST_MARK, "").replaceAll("**", "");
  // A section's name alone on a line is its heading, however it is marked.
  if (!isItem && BARE_NAME.test(text) && sectionOf(text) !== undefined)
    return { level: 0, label: text, body: "", isItem };
  const [, label, body = ""] = LABEL.exec(text) ?? [];
  const isLabel =
    label !== undefined &&
    !isCommitTitle(label, body) &&
    (sectionOf(label) !== undefined || PLAIN_LABEL.test(label));
  return isLabel ? { level: 0, label, body, isItem } : { level: 0, body: text, isItem };
}

/** "test: cover the parser" is how commits are called. */
function isCommitTitle(label: string, body: string): boolean {
  return /^test(?:\(|$)/.test(label) && body !== "" && !isCommand(body);
}

/** A label may stand in the middle of a line: "Goal: … Checks: make test." */
function labelledSentence(text: string): { readonly text: string; readonly section: Section } | null {
  const [, label = "", body = ""] = LABEL.exec(text) ?? [];
  const section = sectionOf(label);
  return section === undefined || body === "" || isCommitTitle(label, body) ? null : { text: body, section };
}

/** Labels that say what a line is about, and nothing more: "Boundaries: none" is "none". */
const PLAIN_LABEL = /^(?:boundaries|checking|ending)$/i;

/** A heading that names a section, or is one word, asks for nothing itself. */
function titleBody(heading: string): string {
  return sectionOf(heading) !== undefined || !/\s/.test(heading.trim()) ? "" : heading;
}

/** Splits after `.`, `;`, `!` or `?` before a space, but never inside backticks. */
function splitSentences(line: string): Pick<Clause, "text" | "isQuestion">[] {
  const sentences: Pick<Clause, "text" | "isQuestion">[] = [];
  let start = 0;
  let inCode = false;
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index];
    if (character === "`") inCode = !inCode;
    const atEnd = index === line.length - 1;
    const isBreak =
      /[.;!?]/.test(character ?? "") &&
      /\s/.test(line[index + 1] ?? "") &&
      !inCode &&
      // `go test ./...` goes on.
      line.slice(Math.max(0, index - 3), index + 1) !== "/...";
    const isShortForm = /\b(?:e\.g|i\.e|etc|vs|approx|incl|max|min|resp|mrs?|ms|dr|nr)\.$/i.test(
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
  /^(?:(?:and|but|so|hi|hello|hey|also|btw)[\s,]{1,2})?(?:does|do|did|is|are|was|were|has|have|had|will|must|should|shall|would|could|can|may|might|what|which|who|where|when|how|isn't|aren't|doesn't|don't|didn't|won't|shouldn't|any idea|anyone)\b/i;
const WONDERED =
  /^(?:(?:and|but|so)\s)?(?:why|how come|is it possible that|could it be|i wonder|wondering)\b/i;
/** "Can you add…?" asks for work and not for an answer. */
const POLITE_REQUEST =
  /^(?:(?:and|but|so|hi|hello|hey|also|btw)[\s,]{1,2})?(?:(?:can|could|would|will|may)\s(?:you|we|i|someone|somebody|anyone)|is it possible to|would it be possible to|do you mind|would you mind|should\s(?!we\b|i\b)\w{1,20}\snot)\b/i;

/** "Can you check if the cache works?" asks for an answer, however politely. */
const WANTS_TO_KNOW =
  /\b(?:check|see|tell|know|confirm|look|explain|find out|figure out|verify|say)\b(?:\s\w{1,20}){0,3}?\s(?:if|whether|why|how|what|which|where|who)\b/i;

/** "Please explain the deployment" asks for words alone. */
const ASKS_FOR_WORDS = /^(?:please\s)?(?:explain|tell (?:me|us))\b/i;

/** A sentence that wants to know whether something holds, and asks for no change. */
function isQuestion(text: string, hasQuestionMark: boolean): boolean {
  if (ASKS_FOR_WORDS.test(text)) return true;
  if (POLITE_REQUEST.test(text)) return hasQuestionMark && WANTS_TO_KNOW.test(text);
  return WONDERED.test(text) || (hasQuestionMark && ASKED.test(text));
}
