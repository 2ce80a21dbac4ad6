import type { LoopEvent } from "../../../core/events/event.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import type { Fact } from "./lessons-of.ts";

const FLAKY = 0.8;
const JUDGED = 0.6;
const SHOWN_FILES = 3;

/** What the proofs showed about the checks. Nothing of a holdout, which no agent may know. */
export function ofChecks(events: readonly LoopEvent[]): readonly Fact[] {
  return events.flatMap((event): readonly Fact[] => {
    if (event.type !== "proof.shown" || event.name === null || event.proof.result !== "fails") return [];
    const name = oneLine(event.name, 80);
    const { kind, files } = event.proof;
    if (kind === "repeat") {
      const text = `The check "${name}" is flaky: it gave two results for the same files.`;
      return [{ kind: "discovery", text, confidence: FLAKY }];
    }
    if (kind !== "judge" || files.length === 0) return [];
    const named = files.slice(0, SHOWN_FILES).map((file) => oneLine(file, 80));
    const text = `Changing ${named.join(", ")} made "${name}" pass and did not count: the earlier version still failed.`;
    return [{ kind: "constraint", text, confidence: JUDGED }];
  });
}
