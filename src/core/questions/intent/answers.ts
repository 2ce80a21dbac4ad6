import type { IntentQuestion } from "./intent-question.ts";
import { isCommand } from "../../spec/code.ts";
import { DIMENSIONS, type Dimension } from "../../spec/rule.ts";
import { scoreSpec } from "../../spec/score.ts";

type ReadAnswers =
  | { readonly type: "answers"; readonly answers: readonly Answer[] }
  /** What to say to who typed it. */
  | { readonly type: "unclear"; readonly why: string };

/** `1A`, `2b`, or `3:` with words of one's own behind it. */
const MARK = /(?<=^|[\s,;])(\d{1,2})(?:([A-Za-z])(?=$|[\s,;.])|\s?[:.)=])/g;
const LONGEST_ANSWER = 2_000;

/** One line that answers any number of the questions: `1A, 2B, 3: only src/cart.js`. Nothing in front of it means the only question. */
export function readAnswers(line: string, questions: readonly IntentQuestion[]): ReadAnswers {
  const text = line.trim().slice(0, LONGEST_ANSWER);
  const marks = marksIn(text, questions);
  const [first] = marks;
  if (first === undefined || text.slice(0, first.at).replace(/[\s,;]/g, "") !== "")
    return alone(text, questions);
  const answers: Answer[] = [];
  for (const [index, mark] of marks.entries()) {
    const question = questions[mark.number - 1];
    if (question === undefined) return unclear(`There is no question ${mark.number}`, questions);
    const rest = text.slice(mark.end, marks[index + 1]?.at ?? text.length).replace(/^[\s,;.]+|[\s,;]+$/g, "");
    if (mark.letter === null) {
      if (rest !== "") answers.push({ about: question.about, text: rest });
      continue;
    }
    const chosen = question.choices[mark.letter.toUpperCase().charCodeAt(0) - "A".charCodeAt(0)];
    if (chosen === undefined)
      return unclear(`Question ${mark.number} has no ${mark.letter.toUpperCase()}`, questions);
    answers.push({ about: question.about, text: rest === "" ? chosen : `${chosen}; ${rest}` });
  }
  return { type: "answers", answers };
}

interface Mark {
  readonly at: number;
  readonly end: number;
  readonly number: number;
  readonly letter: string | null;
}

/** A number in somebody's own words is a mark only if that question has none yet. */
function marksIn(text: string, questions: readonly IntentQuestion[]): readonly Mark[] {
  const seen = new Set<number>();
  return [...text.matchAll(MARK)].flatMap(({ index, 0: { length }, 1: number = "", 2: letter }): Mark[] => {
    const isWords = index > 0 && (Number(number) > questions.length || Number(number) === 0);
    if (isWords || seen.has(Number(number))) return [];
    seen.add(Number(number));
    return [{ at: index, end: index + length, number: Number(number), letter: letter ?? null }];
  });
}

function alone(text: string, questions: readonly IntentQuestion[]): ReadAnswers {
  const [only, ...others] = questions;
  if (only === undefined || others.length > 0)
    return unclear("Begin each answer with the number of its question", questions);
  const [letter = ""] = /^[A-Za-z]$/.exec(text) ?? [];
  const chosen = letter === "" ? undefined : only.choices[letter.toUpperCase().charCodeAt(0) - 65];
  return { type: "answers", answers: [{ about: only.about, text: chosen ?? text }] };
}

function unclear(why: string, questions: readonly IntentQuestion[]): ReadAnswers {
  const second = questions.length > 1 ? ", 2: your own words" : "";
  return { type: "unclear", why: `${why}; for example: 1A${second}` };
}

export interface Answer {
  readonly about: Dimension;
  readonly text: string;
}

/**
 * One word each, which asks for nothing itself. The rubric knows the first two as sections. The others are not its
 * sections on purpose: in those, any word earns a point.
 */
const LABELS: Readonly<Record<Dimension, string>> = {
  outcome: "Outcome",
  scope: "Scope",
  constraints: "Boundaries",
  success: "Checking",
  done: "Ending",
};

/**
 * The spec, followed by its author's answers: a sentence each, so that it reads well in one line, too. Without the questions: the author
 * didn't write them, and they would earn points.
 */
export function answeredSpec(spec: string, answers: readonly Answer[]): string {
  const lines = DIMENSIONS.flatMap((about) => {
    const texts = answers.filter((answer) => answer.about === about).map(statementOf);
    return texts.length === 0 ? [] : [sentence(`${LABELS[about]}: ${texts.join("; ")}`)];
  });
  if (lines.length === 0) return spec;
  return [isOneLine(spec) ? sentence(spec) : spec, lines.join("\n")].join("\n\n");
}

export function isOneLine(spec: string): boolean {
  return !spec.trim().includes("\n");
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text.trimEnd()) ? text.trimEnd() : `${text.trimEnd()}.`;
}

/** "npm test" and "PR merged" are complete answers, but say too little without the question. */
function statementOf({ about, text }: Answer): string {
  if (about === "success") return passing(text) ?? text;
  return about === "done" ? ending(text) : text;
}

function passing(text: string): string | null {
  const commands = text.split(/,\s*|\s+and\s+/).map((each) => each.replace(/^`|`?\.?$/g, "").trim());
  // A command with words behind it is a statement already.
  if (!commands.every((each) => isCommand(each) && !each.includes("`"))) return null;
  return `${commands.map((command) => `\`${command}\``).join(", ")} ${commands.length === 1 ? "passes" : "pass"}`;
}

const ENDING = /\b(?:done|finished|over)\s(?:when|once)\b|\buntil\b/i;
const CONDITION = /^(?:when|once|as soon as)\s/i;

function ending(text: string): string {
  if (ENDING.test(text)) return text;
  return CONDITION.test(text) ? `Done ${text}` : `Until ${text}`;
}

/**
 * The spec after its author said what was meant instead: other words for a sentence; anything longer becomes the background. A
 * heading of one word asks for nothing itself.
 */
export function correctedSpec(spec: string, words: string): string {
  return isOneLine(spec) ? words : `${words}\n\n## Background\n\n${spec}`;
}

/** Earlier answers that a correction leaves as they were: those about what it doesn't speak of. */
export function answersAfter<Of extends Answer>(words: string, answers: readonly Of[]): readonly Of[] {
  const said = scoreSpec(words);
  return answers.filter(({ about }) => about !== "outcome" && said[about] === 0);
}
