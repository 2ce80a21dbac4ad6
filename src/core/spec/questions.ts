import type { Dimension, DimensionScore } from "./dimension.ts";
import { DIMENSIONS } from "./dimension.ts";
import type { Reading } from "./reading.ts";
import { METRIC, namingWords } from "./words.ts";

type Question = (subject: string) => string;

const WHEN_NOTHING: Readonly<Record<Dimension, Question>> = {
  outcome: (subject) => `What exactly is different after ${subject}: which behaviour, value or message?`,
  scope: (subject) => `Which files, folders, functions or endpoints does ${subject} concern?`,
  constraints: (subject) =>
    `What must not change or be added by ${subject} (dependencies, public API, files to leave alone)?`,
  success: (subject) => `Which command or visible result shows that ${subject} worked?`,
  done: (subject) =>
    `How can you tell that ${subject} is finished (PR merged, a count at zero, a check green)?`,
};

const WHEN_LOOSE: Readonly<Record<Dimension, Question>> = {
  outcome: (found) => `Which measurable value or exact behaviour shall ${found} reach?`,
  scope: (found) => `Which files, functions or endpoints of ${found} are meant?`,
  constraints: (found) => `Besides ${found}, is there a technical limit (dependencies, API, size, versions)?`,
  success: (found) => `Besides ${found}, what else shows that it works?`,
  done: (found) => `${found}: which event or state ends the work for an outsider?`,
};

const SUBJECT_LIMIT = 60;

/** One question per weak dimension. */
export function askQuestions(
  reading: Reading,
  scores: Readonly<Record<Dimension, DimensionScore>>,
): string[] {
  const subject = subjectOf(reading);
  return DIMENSIONS.flatMap((dimension) => {
    const { points, findings } = scores[dimension];
    if (points === 2) return [];
    const found = findings[0];
    return [
      points === 0 || found === undefined
        ? WHEN_NOTHING[dimension](subject)
        : WHEN_LOOSE[dimension](quoted(found.quote)),
    ];
  });
}

function subjectOf(reading: Reading): string {
  const first = reading.work[0] ?? reading.clauses[0]?.text ?? "";
  const hasWords = namingWords(first).length > 0 || METRIC.test(first) || /\w{2}/.test(first);
  return hasWords ? quoted(first) : "the work";
}

function quoted(text: string): string {
  const short = text.length > SUBJECT_LIMIT ? `${text.slice(0, SUBJECT_LIMIT).trimEnd()}…` : text;
  return `"${short}"`;
}
