import type { Loop } from "../core/loop/loop.ts";
import { fitScore } from "../core/spec/shape.ts";

/** How well a spec fits a workflow, with what earlier loops of the project add to it. */
export function fitOf({ score, recall }: Pick<Loop, "score" | "recall">): number {
  return fitScore(score, recall?.familiarity ?? 0);
}
