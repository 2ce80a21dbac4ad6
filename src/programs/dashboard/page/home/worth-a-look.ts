import type { BoardRow } from "../../../../views/board.ts";

/** Its work is done, and not left aside as that of a plan may be, although not all of it is verified. */
export function isWorthALook({
  group,
  phase,
  plan,
  confidence,
  deliveredTo,
}: Pick<BoardRow, "group" | "phase" | "plan" | "confidence" | "deliveredTo">): boolean {
  return (
    group === "finished" &&
    confidence !== "verified" &&
    (deliveredTo !== null || (plan === null && phase === "completed"))
  );
}
