import type * as v from "valibot";

/** What a model is asked for. */
export type Purpose =
  | "score"
  | "intent"
  | "shape"
  | "decompose"
  | "test"
  | "counsel"
  | "light-review"
  | "thorough-review";

/** One question, one turn, one answer in a fixed form. The agent only reads. */
export interface Question<Answer> {
  readonly purpose: Purpose;
  /** Names it in the journal and its folders: `review-wave-2`, `counsel-T-003-1`. Letters, digits and dashes. */
  readonly id: string;
  /** What the model reads. */
  readonly text: string;
  readonly schema: v.GenericSchema<unknown, Answer>;
  /** What is wrong with an answer of the right form, in a sentence that the model can act on; null: nothing. */
  readonly complaint?: (answer: Answer) => string | null;
  /** The commit whose files it may look at, in a worktree that is thrown away; null: the text says all. */
  readonly commit: string | null;
}

export type Asked<Answer> =
  | { readonly type: "answered"; readonly answer: Answer; readonly agent: string; readonly isCached: boolean }
  /** Whoever asked goes on without an answer, and says so. */
  | {
      readonly type: "unanswered";
      /** A clause that people can read: `it did not answer in 15 min`. */
      readonly why: string;
      readonly agent: string | null;
      /** When the usage limit ends that was met; null: nobody knows. Without it, waiting is of no use. */
      readonly waitsUntil?: number | null;
    };

/** Puts questions to an agent, and charges them to the loop. */
export interface Asker {
  ask<Answer>(question: Question<Answer>, signal: AbortSignal): Promise<Asked<Answer>>;
  /** Why nobody can be asked, before anybody tries; null: somebody can. */
  readonly whyNobody?: (question: Pick<Question<unknown>, "id" | "purpose">) => string | null;
}
