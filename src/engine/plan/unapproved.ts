import type { Loop } from "../../core/loop/loop.ts";
import { topFrame } from "../../core/loop/loop.ts";
import { AT_THE_BEGINNING } from "../../storage/journal/journal.ts";
import type { LiveLoop } from "../../storage/loops/live-loop.ts";

/** Tests and definitions that an attempt changed and that nobody has approved: as they were before, its check fails. */
export function unapprovedIn(loop: Loop): readonly string[] {
  return [...new Set(topFrame(loop).criteria.flatMap(({ judgedAgainst }) => judgedAgainst ?? []))];
}

/** Whether a person has approved something since the loop paused. */
export async function wasApprovedSince({ journal }: Pick<LiveLoop, "journal">): Promise<boolean> {
  let isApproved = false;
  await journal.follow(AT_THE_BEGINNING).next(({ events }) => {
    for (const { type } of events) {
      if (type === "loop.paused") isApproved = false;
      if (type === "opening.approved") isApproved = true;
    }
  });
  return isApproved;
}
