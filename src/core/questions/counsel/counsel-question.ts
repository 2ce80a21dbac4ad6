import * as v from "valibot";
import type { Question } from "../question.ts";
import { failuresTold } from "../../plan/failure-text.ts";
import { fenced, fenceRule } from "../fenced.ts";
import type { Perspective } from "../perspectives.ts";
import { perspectiveLines } from "../perspectives.ts";

const counsel = v.object({
  views: v.array(v.object({ perspective: v.string(), view: v.string() })),
  approach: v.string(),
});
export type CounselAnswer = v.InferOutput<typeof counsel>;

export interface FailedTask {
  readonly task: string;
  /** The number of the attempt that failed. */
  readonly after: number;
  readonly subject: string;
  readonly description: string;
  /** The command that has to pass; null: nothing shows that the task is done. */
  readonly check: string | null;
  /** What each attempt came to, the last one last. */
  readonly failures: readonly string[];
  /** What was advised before. */
  readonly approaches: readonly string[];
  readonly commit: string | null;
}

const SHORTEST_APPROACH = 20;
const LONGEST_APPROACH = 4_000;

/** One question with several points of view, for an approach that differs from all before. */
export function counselQuestion(
  failed: FailedTask,
  perspectives: readonly Perspective[],
  nonce: string,
): Question<CounselAnswer> {
  const { task, after, subject, description, check, failures, approaches, commit } = failed;
  const tried = failuresTold(failures).map((text, index) => `Attempt ${index + 1}:\n${text}`);
  const text = [
    `An agent failed ${after === 1 ? "once" : `${after} times`} at this task. Say how the next attempt goes about it differently.`,
    `Task ${task}: ${subject}${description.trim() === "" ? "" : `\n${description}`}`,
    check === null ? "" : `This has to pass: ${check}`,
    fenceRule(nonce),
    fenced("tried", tried.join("\n\n"), nonce),
    approaches.length === 0
      ? ""
      : `Advised before, and not enough:\n${fenced("advised", approaches.map((each) => `- ${each}`).join("\n"), nonce)}`,
    `Look at it from each of these points of view, one or two sentences each, and then decide:\n${perspectiveLines(perspectives)}`,
    "`approach`: three to eight sentences to the next agent: the likely cause, where to look first, what to do instead of what was tried. Never advise to weaken, skip or delete a test or a check.",
  ];
  return {
    purpose: "counsel",
    id: `counsel-${task}-${after}`,
    text: text.filter((part) => part !== "").join("\n\n"),
    schema: counsel,
    complaint: ({ approach }) => {
      const said = plainWords(approach);
      if (said.length < SHORTEST_APPROACH) return "`approach` says too little to work with.";
      if (approaches.some((each) => plainWords(each) === said))
        return "`approach` is one of those that were advised before; it has to be another one.";
      return null;
    },
    commit,
  };
}

export function approachOf({ approach }: CounselAnswer): string {
  return approach.trim().slice(0, LONGEST_APPROACH);
}

/** Two approaches that differ only in blanks, case and punctuation are one. */
export function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
