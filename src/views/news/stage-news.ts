import type { Purpose } from "../../core/questions/question.ts";
import type { Loop } from "../../core/loop/loop.ts";
import type { Echo } from "../../core/stages/stages.ts";

/** What a workflow tells whoever watches on its way to the plan. */
export type StageNews =
  | { readonly type: "stages-began"; readonly loop: Loop; readonly resumed: boolean }
  | { readonly type: "stage-began"; readonly loop: Loop }
  /** A model is asked, which takes a while. */
  | { readonly type: "asking"; readonly purpose: Purpose }
  | { readonly type: "unanswered"; readonly purpose: Purpose; readonly why: string }
  /** For a usage limit. */
  | { readonly type: "waiting"; readonly now: number; readonly until: number; readonly detail: string }
  | { readonly type: "understood"; readonly echo: Echo }
  /** `isShown`: somebody has just agreed to it. */
  | { readonly type: "shape-drawn"; readonly loop: Loop; readonly isShown: boolean }
  | { readonly type: "planned"; readonly loop: Loop; readonly isShown: boolean }
  | { readonly type: "note"; readonly text: string };
