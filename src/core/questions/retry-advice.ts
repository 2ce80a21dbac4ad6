import * as v from "valibot";
import { fenced, fenceRule, type Question } from "./question.ts";
import { describeCheck } from "../loop/criterion.ts";
import { failuresTold } from "../plan/shown-task.ts";
import type { PlannedTask } from "../plan/plan.ts";
import { perspectiveLines, type Perspective } from "./perspectives.ts";

const counsel = v.object({
  views: v.array(v.object({ perspective: v.string(), view: v.string() })),
  approach: v.string(),
});
type RetryAdviceAnswer = v.InferOutput<typeof counsel>;

/** What a task has been through when it failed. */
export interface FailedAttempts {
  /** The number of the attempt that failed. */
  readonly after: number;
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
  { id, subject, description, check }: Pick<PlannedTask, "id" | "subject" | "description" | "check">,
  { after, failures, approaches, commit }: FailedAttempts,
  perspectives: readonly Perspective[],
  nonce: string,
): Question<RetryAdviceAnswer> {
  const tried = failuresTold(failures).map((text, index) => `Attempt ${index + 1}:\n${text}`);
  const text = [
    `An agent failed ${after === 1 ? "once" : `${after} times`} at this task. Say how the next attempt goes about it differently.`,
    `Task ${id}: ${subject}${description.trim() === "" ? "" : `\n${description}`}`,
    check === null ? "" : `This has to pass: ${describeCheck(check)}`,
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
    id: `counsel-${id}-${after}`,
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

export function approachOf({ approach }: RetryAdviceAnswer): string {
  return approach.trim().slice(0, LONGEST_APPROACH);
}

/** Two approaches that differ only in blanks, case and punctuation are one. */
export function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** What to do differently when no model says so. The first fits a first failure; then each is more of a change than the one before. */
const APPROACHES = [
  "Before you change anything, run the check yourself and read its whole output. Name the cause in one sentence, and change only what that sentence says.",
  "Assume that the earlier attempts were wrong about the cause. Find the smallest input that shows the failure, and follow it through the code step by step.",
  "Leave the code of the earlier attempts aside. Look for a place in this project that already does something like it, and do it that way.",
  "Do less: make the smallest part of the task work that the check can see, and add the rest piece by piece, running the check each time.",
  "Question what everybody took for granted: versions, paths, the working folder, generated files, the order of steps. Show each by a command before you rely on it.",
];

/** Approaches for a task that has no check, by the place of those that mention one. */
const WITHOUT_CHECK: { readonly [place: number]: string } = {
  0: "Before you change anything, find out why the last attempt came to nothing. Name the cause in one sentence, and change only what that sentence says.",
  3: "Do less: make the smallest part of the task work, try it, and add the rest piece by piece, trying it each time.",
};

/** Differs for each number of failures. */
export function plainApproach(after: number, hasCheck: boolean): string {
  const place = Math.min(after, APPROACHES.length) - 1;
  const approach = (hasCheck ? undefined : WITHOUT_CHECK[place]) ?? APPROACHES[place] ?? "";
  return after <= APPROACHES.length
    ? approach
    : `${approach} This is attempt ${after + 1}: if it can't be done, say so with loop blocked and why.`;
}
