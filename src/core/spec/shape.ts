import { persistenceIn } from "./persistence.ts";
import type { SpecScore } from "./score.ts";

export type PlainShape = "intent" | "colleague" | "tool";

export function plainShape(total: number): PlainShape {
  if (total >= 8) return "tool";
  return total >= 5 ? "colleague" : "intent";
}

/** Who says "keep going" doesn't want to be asked after each iteration. */
export function shapeOfSpec(spec: string, total: number): PlainShape {
  const shape = plainShape(total);
  return shape === "colleague" && persistenceIn(spec) !== null ? "tool" : shape;
}

export type WorkflowShape = "blocked" | "colleague" | "tool-review" | "tool";

export function workflowShape(fit: number): WorkflowShape {
  if (fit >= 40) return "tool";
  if (fit >= 30) return "tool-review";
  return fit >= 25 ? "colleague" : "blocked";
}

const FAMILIARITY_LIMIT = 10;
/** Ten points, three dimensions that are explicit, and a project that is well known. */
export const FIT_LIMIT = 5 * 10 + 5 * 3 + FAMILIARITY_LIMIT;

export function fitScore(score: SpecScore, familiarity = 0): number {
  const explicit = [score.constraints, score.success, score.done].filter((points) => points === 2).length;
  return 5 * score.total + 5 * explicit + clampFamiliarity(familiarity);
}

function clampFamiliarity(familiarity: number): number {
  return Number.isNaN(familiarity) ? 0 : Math.min(Math.max(familiarity, 0), FAMILIARITY_LIMIT);
}
