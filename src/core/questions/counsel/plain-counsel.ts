/** What to do differently when no model says so. The first fits a first failure; then each is more of a change than the one before. */
const APPROACHES = [
  "Before you change anything, run the check yourself and read its whole output. Name the cause in one sentence, and change only what that sentence says.",
  "Assume that the earlier attempts were wrong about the cause. Find the smallest input that shows the failure, and follow it through the code step by step.",
  "Leave the code of the earlier attempts aside. Look for a place in this project that already does something like it, and do it that way.",
  "Do less: make the smallest part of the task work that the check can see, and add the rest piece by piece, running the check each time.",
  "Question what everybody took for granted: versions, paths, the working folder, generated files, the order of steps. Show each by a command before you rely on it.",
];

/** The same for a task that has no check, where they would speak of one; by their place above. */
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
