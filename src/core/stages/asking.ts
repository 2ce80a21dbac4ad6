import type { Loop, Shape } from "../loop/loop.ts";
import type { Finding } from "./stages.ts";
import { unsettled } from "./judging.ts";

/** What the user of a session's workflow was asked last. */
export interface AskedOf {
  /** How many steps there were to agree to. */
  readonly steps: number;
  /** The last review that the agent was told to ask about. */
  readonly round: number;
}

export const NOTHING_ASKED: AskedOf = { steps: 0, round: 0 };

/** A colleague asks after everything, a tool under review at major steps. */
export function asksPeople(shape: Shape): boolean {
  return shape === "tool-review" || shape === "colleague";
}

/** The major steps so far: the shape is drawn, the plan is there, a wave is merged. */
export function majorSteps({ stages, workflow }: Pick<Loop, "stages" | "workflow">): number {
  const isShaped = stages?.wishes != null && stages.shape !== null;
  return (isShaped ? 1 : 0) + (workflow === null ? 0 : 1 + workflow.wavesDone);
}

/** What the last review holds against the work, as far as nobody has settled it. */
export function openFindings({ stages, workflow }: Pick<Loop, "stages" | "workflow">): readonly Finding[] {
  const last = stages?.reviews.at(-1);
  return last === undefined || workflow === null ? [] : unsettled(last, workflow);
}
