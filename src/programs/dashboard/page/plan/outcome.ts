import { mergedWords } from "../../../../views/gate-words.ts";
import type { WorkflowStatus } from "../../../../views/plan.ts";

/** Where the work is, and what speaks against taking it as it is. */
export function outcome(workflow: WorkflowStatus): string {
  const { delivery, verdict } = workflow;
  const [where = mergedWords(workflow)] = delivery === null ? [] : delivery.split(/\.(?: |$)/);
  const risk =
    verdict === null || verdict.verdict === "SHIP"
      ? ""
      : ` ${verdict.risk[0]?.toUpperCase() ?? ""}${verdict.risk.slice(1)}.`;
  return `${where}.${risk}`;
}
