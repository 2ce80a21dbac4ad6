import type { Shape, MustNot } from "../../loop/loop.ts";
import type { SpecScore } from "../../spec/score.ts";
import { fitScore, plainShape, workflowShape } from "../../spec/shape.ts";
import type { IntentSummary } from "../../stages/stages.ts";
import { describeCommand } from "../../loop/criterion.ts";
import { readSpec } from "../../spec/reading.ts";
import type { Answer } from "./answers.ts";
import { oneLine } from "../../../system/text/plain-text.ts";

/** Shapes of a spec that isn't worth spending money on until somebody answers its open questions. */
export function asksFirst(shape: Shape): boolean {
  return shape === "intent" || shape === "blocked";
}

interface Scored {
  readonly score: SpecScore;
  readonly familiarity: number;
  /** What a person wants; null: the fit decides. */
  readonly insisted: Shape | null;
  /** A check says what done means, even for a short spec. */
  readonly hasCheck: boolean;
}

/** Whether a workflow's spec has to be answered before anything is spent on it. */
export function isTooVague(scored: Scored): boolean {
  return isVague(scored) && !scored.hasCheck;
}

/** How much a workflow asks. With nobody to ask, it keeps working instead. */
export function shapeOfWorkflow(scored: Scored, isAttended: boolean): Shape {
  if (!isAttended) return "tool";
  return isVague(scored) ? "colleague" : wantedShape(scored);
}

function isVague(scored: Scored): boolean {
  const isWeak = scored.insisted === null && asksFirst(plainShape(scored.score.total));
  return isWeak || asksFirst(wantedShape(scored));
}

function wantedShape({ score, familiarity, insisted }: Scored): Shape {
  return insisted ?? workflowShape(fitScore(score, familiarity));
}

const LONGEST = 300;

interface Understood {
  readonly spec: string;
  readonly score: SpecScore;
  /** Answers to what the spec left open; they are part of it already. */
  readonly answers: readonly Answer[];
  readonly mustNots: readonly MustNot[];
  /** The statement that the first check shows; null: there is none. */
  readonly firstCheck: string | null;
}

/** What was understood, in the spec's own words, for a person to confirm. */
export function intentSummaryOf({ spec, score, answers, mustNots, firstCheck }: Understood): IntentSummary {
  const { work, endings } = readSpec(spec);
  const [mustNot] = mustNots;
  const said = ["outcome", "scope"].flatMap((each) =>
    answers.filter(({ about }) => about === each).map(({ text }) => text.replace(/\.$/, "")),
  );
  return {
    deliverable: oneLine([work[0] ?? spec, ...said].join("; "), LONGEST),
    firstFact: oneLine(firstCheck ?? endings[0]?.condition ?? "nothing says when it is done", LONGEST),
    hardestConstraint: oneLine(
      mustNot === undefined ? quoteOf(score.evidence.constraints[0]) : constraintText(mustNot),
      LONGEST,
    ),
  };
}

function constraintText(mustNot: MustNot): string {
  return mustNot.kind === "path"
    ? `${mustNot.glob} must not change`
    : `${describeCommand(mustNot.check.command)} must keep passing`;
}

/** The words of `"the words": why they count`. */
function quoteOf(evidence: string | undefined): string {
  return /^"(.*)": /s.exec(evidence ?? "")?.[1] ?? "none stated";
}
