import type { Loop } from "../../../core/loop/loop.ts";
import type { Echo } from "../../../core/stages/stages.ts";
import type { Answer } from "../../../core/questions/intent/answers.ts";
import type { IntentQuestion } from "../../../core/questions/intent/intent-question.ts";

/** What somebody says to what is shown: go on, stop here, or change this first. */
export type Said =
  | { readonly type: "yes" }
  | { readonly type: "no" }
  | { readonly type: "change"; readonly text: string };

/** The person at the terminal, as the stages before the plan see one. */
export interface StagePerson {
  /** null: nobody answered. */
  readonly answer: (why: string, questions: readonly IntentQuestion[]) => Promise<readonly Answer[] | null>;
  /** `isReplaced`: other words take the place of the spec; otherwise they go on top of it. */
  readonly confirms: (echo: Echo, change: { readonly isReplaced: boolean }) => Promise<Said>;
  /** To a loop as it would be. */
  readonly agrees: (to: "shape" | "plan", loop: Loop) => Promise<Said>;
  /** Which of the commands that a model wrote, or the spec names, may run as checks; each has what it would show. */
  readonly approves: (
    commands: readonly { readonly name: string; readonly command: string }[],
    author: "model" | "spec",
  ) => Promise<ReadonlySet<string>>;
  /** Whether a test that a model wrote may run here, and is held out if it fails now. */
  readonly keeps: (test: {
    readonly criterion: string;
    readonly file: string;
    readonly content: string;
  }) => Promise<boolean>;
}
