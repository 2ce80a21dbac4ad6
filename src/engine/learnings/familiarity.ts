/** Five learnings that are certain make a project as familiar as it gets. */
const POINTS_EACH = 2;
const MOST = 10;

/** How familiar a spec's subject is, 0 to 10: two points for each learning that was found for it, by its confidence. */
export function familiarityFrom(learnings: readonly { readonly confidence: number }[]): number {
  const points = learnings.reduce((sum, { confidence }) => sum + POINTS_EACH * confidence, 0);
  return Math.min(MOST, Math.round(points));
}
