import { findingPlaces, type FindingPlace } from "../../engine/plan/finding-places.ts";
import { reviewPlan } from "../../engine/plan/review-plan.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { ReviewedTask } from "../../views/review-order.ts";

/** What only a plan's branch says of its tasks and findings. */
export interface Reviewed {
  /** Riskiest first. */
  readonly tasks: readonly ReviewedRow[];
  readonly places: readonly FindingPlace[];
}

interface ReviewedRow extends Pick<ReviewedTask, "id" | "risks"> {
  /** null: nothing of it is on the branch. */
  readonly lines: { readonly added: number; readonly removed: number } | null;
}

export async function reviewedOf(machine: Machine, known: KnownLoop): Promise<Reviewed | null> {
  if (known.live.loop.workflow === null) return null;
  const [{ tasks }, places] = await Promise.all([reviewPlan(machine, known), findingPlaces(machine, known)]);
  return {
    places,
    tasks: tasks.map(({ id, risks, commit, files }) => ({
      id,
      risks,
      lines:
        commit === null
          ? null
          : {
              added: files.reduce((sum, { added }) => sum + (added ?? 0), 0),
              removed: files.reduce((sum, { removed }) => sum + (removed ?? 0), 0),
            },
    })),
  };
}
