import type { LoopEvent } from "../event.ts";
import type { Spent } from "./facts.ts";

/** The spending, and how far the transcript was read, as facts. */
export function eventsOfSpending({ cursor, ...charge }: Spent): readonly LoopEvent[] {
  const read: readonly LoopEvent[] = cursor === null ? [] : [{ type: "transcript.read", cursor }];
  const isNews = charge.usd > 0 || charge.tokens > 0 || !charge.priced;
  return isNews ? [{ type: "cost.charged", ...charge }, ...read] : read;
}
