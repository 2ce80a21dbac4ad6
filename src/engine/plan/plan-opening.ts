import type { Examination, NamedCheck } from "../../verify/checks/run-checks.ts";
import type { LoopId } from "../../core/loop/id.ts";
import type { WhichFrame } from "../../verify/baseline/opening-record.ts";
import { takeOpening } from "../../verify/baseline/take-opening.ts";

/** Below the frames of the loop itself, which compare the user's own files. */
const DEPTH = 0;

/** Where it is kept what the checks of a plan mean at the commit that the plan begins at. */
export function openingOfPlan(home: string, root: string, id: LoopId): WhichFrame {
  return { home, root, id, depth: DEPTH };
}

/** Before anybody works: what each check means in a worktree of the commit that the plan begins at. */
export async function openPlan(
  which: WhichFrame,
  { worktree, folder, now }: { readonly worktree: string; readonly folder: string; readonly now: number },
  checks: readonly NamedCheck[],
  looked: Examination,
): Promise<void> {
  await takeOpening(
    {
      place: { root: worktree, home: which.home },
      which,
      folder,
      now,
      reading: looked.tree,
      looked,
    },
    checks,
    { isFrame: true },
  );
}
