import type { IntentQuestion } from "./question.ts";
import type { Answer } from "./answered-spec.ts";

export type ReadAnswers =
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
