import type { Asker } from "../../asking/question.ts";
import type { Loop } from "../../core/loop.ts";
import type { Plan } from "../../core/plan/plan.ts";
import type { ProjectFacts } from "../../judgement/project-facts.ts";

/** Splits the work of a shaped loop into tasks. Without an asker, by the spec's own lists. */
export type Decompose = (work: {
  readonly loop: Loop;
  readonly facts: ProjectFacts;
  readonly asker: Asker | null;
  readonly commit: string | null;
  /** What a person wants to be different from the plan that was shown; null: none was. */
  readonly wish: string | null;
  readonly signal: AbortSignal;
}) => Promise<{ readonly plan: Plan; readonly notes: readonly string[] }>;
