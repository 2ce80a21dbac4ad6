import type { PlayedTurn } from "./driven.ts";
import type { ReviewAnswer } from "../../src/core/questions/review/review-question.ts";

type Found = ReviewAnswer["findings"][number];

/** What a played reviewer holds against a line. */
export function found(file: string, quote: string, part: Partial<Found> = {}): Found {
  return {
    severity: "BLOCKER",
    perspective: "correctness",
    file,
    quote,
    problem: `Something is wrong with ${file}.`,
    breaks: "C-1",
    command: null,
    fix: null,
    ...part,
  };
}

/** The turn of a reviewer who answers like this. */
export function review(score: number, ...findings: readonly Found[]): readonly PlayedTurn[] {
  return [{ say: JSON.stringify({ score, findings }), usd: 0.01 }];
}

/** The turn of a counsellor who advises this. */
export function counsel(approach: string): readonly PlayedTurn[] {
  return [{ say: JSON.stringify({ views: [{ perspective: "tests", view: "Look." }], approach }), usd: 0.01 }];
}
