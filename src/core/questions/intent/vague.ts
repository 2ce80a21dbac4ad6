import type { Shape } from "../../loop.ts";
import type { SpecScore } from "../../spec/score.ts";
import { fitScore, plainShape, workflowShape } from "../../spec/shape.ts";

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
