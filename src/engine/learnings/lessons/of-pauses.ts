import type { LoopEvent } from "../../../core/event.ts";
import { flagsIn } from "../../../core/missing-permission.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import type { Fact } from "./lessons-of.ts";
import { isPlumbing } from "../task-lessons.ts";

const SURE = 0.7;
/** Often an agent's own words for what it needs. */
const SAID = 0.5;

/** What had to be kept to: must-nots that were violated, permissions and people that were missing. */
export function ofPauses(events: readonly LoopEvent[]): readonly Fact[] {
  return events.flatMap((event): readonly Fact[] => {
    if (event.type !== "loop.paused" || event.detail === null) return [];
    const { reason, detail } = event;
    if (reason === "must-not")
      return [constraint(`The work violated a must-not: ${oneLine(detail, 300)}`, SURE)];
    if (reason !== "blocked" || isPlumbing(detail)) return [];
    const flags = flagsIn(detail);
    if (flags.length > 0) return [constraint(`The agent needed ${flags.join(" ")}`, SURE)];
    return [constraint(`It paused for a person: ${oneLine(detail, 300)}`, SAID)];
  });
}

function constraint(text: string, confidence: number): Fact {
  return { kind: "constraint", text, confidence };
}
