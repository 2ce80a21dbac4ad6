import type { Loop } from "../core/loop.ts";
import { fitScore } from "../rubric/shape.ts";

/** How well a spec fits a workflow, with what earlier loops of the project add to it. */
export function fitOf({ score, stages }: Pick<Loop, "score" | "stages">): number {
  return fitScore(score, stages?.familiarity ?? 0);
}
