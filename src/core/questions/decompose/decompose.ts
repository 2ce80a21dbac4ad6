import type { Asker } from "../question.ts";
import type { DraftedPlan } from "../../plan-files/drafted-plan.ts";
import { draftOf } from "./draft.ts";
import type { WorkToDecompose } from "./question.ts";
import { decomposeQuestion } from "./question.ts";

export type Decomposed =
  | { readonly type: "drafted"; readonly draft: DraftedPlan; readonly agent: string }
  /** `ownTasks` is the way on. */
  | { readonly type: "none"; readonly why: string; readonly waitsUntil?: number | null };

/** Asks a model for the tasks of some work. Commands in it are proposals: `plannedByModel` says which of them become checks. */
export async function decompose(
  work: WorkToDecompose,
  asker: Asker,
  signal: AbortSignal,
): Promise<Decomposed> {
  const asked = await asker.ask(decomposeQuestion(work), signal);
  if (asked.type === "unanswered") {
    const { why, waitsUntil } = asked;
    return waitsUntil === undefined ? { type: "none", why } : { type: "none", why, waitsUntil };
  }
  return { type: "drafted", draft: draftOf(work.spec, asked.answer), agent: asked.agent };
}
