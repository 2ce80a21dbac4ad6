import type { IterationView } from "./iterations.ts";

/**
 * A claim that failed because its tests aren't those of the opening, and for nothing else: which tests are right, a person decides. Until
 * then it is no false claim, nor when the changed tests were approved.
 */
export type Dispute = "undecided" | "approved";

/** The last claims, back to one that failed for another reason. `isDecided`: of the changed test files, those in question. */
export function disputed(
  iterations: readonly IterationView[],
  dispute: Dispute,
  isDecided: (file: string) => boolean = () => true,
): readonly IterationView[] {
  const other = iterations.findLastIndex((each) => each.claimed && !isAboutTests(each, isDecided));
  return iterations.map((each, index) => (index > other && each.claimed ? { ...each, dispute } : each));
}

function isAboutTests(
  { verdict, checks, proofs }: IterationView,
  isDecided: (file: string) => boolean,
): boolean {
  const failing = proofs.filter(({ result }) => result === "fails");
  return (
    verdict !== "completed" &&
    checks.every(({ passed }) => passed) &&
    failing.some(({ kind }) => kind === "judge" || kind === "counts") &&
    failing.every(({ kind, files }) => kind === "counts" || (kind === "judge" && files.every(isDecided)))
  );
}
