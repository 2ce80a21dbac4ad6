import { scoreConstraints } from "./constraints.ts";
import { scoreDone } from "./done.ts";
import { scoreOutcome } from "./outcome.ts";
import { readSpec, type Reading } from "./reading.ts";
import { scoreScope } from "./scope.ts";
import { scoreSuccess } from "./success.ts";
import { METRIC, namingWords } from "./words.ts";
import {
  DIMENSIONS,
  type Dimension,
  type DimensionScore,
  type Extras,
  type Earned,
  type Points,
} from "./rule.ts";

export interface SpecScore {
  readonly outcome: Points;
  readonly scope: Points;
  readonly constraints: Points;
  readonly success: Points;
  readonly done: Points;
  readonly total: number;
  /** The spec's words that earned the points, each with the reason. */
  readonly evidence: Readonly<Record<Dimension, readonly string[]>>;
  readonly questions: readonly string[];
}

const NO_EXTRAS: Extras = { criteria: [], mustNots: [], protects: [] };

export function scoreSpec(spec: string, extras: Extras = NO_EXTRAS): SpecScore {
  const reading = readSpec(spec);
  const scores: Record<Dimension, DimensionScore> = {
    outcome: scoreOutcome(reading, extras),
    scope: scoreScope(reading),
    constraints: scoreConstraints(reading, extras),
    success: scoreSuccess(reading, extras),
    done: scoreDone(reading, extras),
  };
  const { outcome, scope, constraints, success, done } = scores;
  return {
    outcome: outcome.points,
    scope: scope.points,
    constraints: constraints.points,
    success: success.points,
    done: done.points,
    total: outcome.points + scope.points + constraints.points + success.points + done.points,
    evidence: {
      outcome: evidenceOf(outcome),
      scope: evidenceOf(scope),
      constraints: evidenceOf(constraints),
      success: evidenceOf(success),
      done: evidenceOf(done),
    },
    questions: askQuestions(reading, scores),
  };
}

const FINDING_LIMIT = 50;
const EVIDENCE_LIMIT = 5;
const QUOTE_LIMIT = 120;

/** Words that stand in a longer quote say nothing more. */
function withoutRepeats(findings: readonly Earned[]): Earned[] {
  return findings.filter(
    ({ quote, reason }, index) =>
      !findings.some(
        (other, place) =>
          other.quote !== quote && other.quote.includes(quote) && (place < index || other.reason === reason),
      ),
  );
}

function evidenceOf({ findings }: DimensionScore): string[] {
  return [
    ...new Set(
      withoutRepeats(findings.slice(0, FINDING_LIMIT)).map(
        ({ quote, reason }) => `"${quote.slice(0, QUOTE_LIMIT)}": ${reason}`,
      ),
    ),
  ].slice(0, EVIDENCE_LIMIT);
}

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
function askQuestions(reading: Reading, scores: Readonly<Record<Dimension, DimensionScore>>): string[] {
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
