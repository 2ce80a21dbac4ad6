import { scoreConstraints } from "./constraints.ts";
import type { Dimension, DimensionScore, Extras, Finding, Points } from "./dimension.ts";
import { scoreDone } from "./done.ts";
import { scoreOutcome } from "./outcome.ts";
import { askQuestions } from "./questions.ts";
import { readSpec } from "./reading.ts";
import { scoreScope } from "./scope.ts";
import { scoreSuccess } from "./success.ts";

export { DIMENSIONS, type Dimension, type Extras, type Points } from "./dimension.ts";
export { FIT_LIMIT, fitScore, plainShape, workflowShape, type PlainShape } from "./shape.ts";

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
function withoutRepeats(findings: readonly Finding[]): Finding[] {
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
