import type { SettledFinding } from "./review.ts";

/** A finding, and every round that found it. */
export interface Found extends SettledFinding {
  readonly rounds: readonly number[];
}

/** What several rounds found in the same line is one finding. It is told as by the round that made a task of it, else by the last. */
export function groupedFindings(findings: readonly SettledFinding[]): readonly Found[] {
  const groups = new Map<string, Found>();
  for (const finding of findings) {
    const key = `${finding.severity} ${finding.file} ${finding.quote}`;
    const known = groups.get(key);
    const isTold =
      known === undefined || (known.task === null && (finding.task !== null || finding.round > known.round));
    const rounds = [...(known?.rounds ?? []), finding.round].toSorted((one, other) => one - other);
    groups.set(key, { ...(isTold ? finding : known), rounds });
  }
  return [...groups.values()].toSorted((one, other) => order(one) - order(other));
}

const SEVERITIES = ["BLOCKER", "WARNING", "SUGGESTION"] as const;

function order({ severity }: Found): number {
  return SEVERITIES.indexOf(severity);
}

const RESOLUTIONS = {
  task: "became a task",
  approved: "accepted by you",
  discussed: "to be talked about",
  skipped: "left as it is: only a BLOCKER has to be put right",
  refused: "dismissed by you",
} as const;

/** What became of a finding that no task is about. */
export function resolutionWords(resolution: SettledFinding["resolution"]): string {
  return resolution === null ? "not decided" : RESOLUTIONS[resolution];
}
