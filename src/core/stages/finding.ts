export const SEVERITIES = ["BLOCKER", "WARNING", "SUGGESTION"] as const;
type Severity = (typeof SEVERITIES)[number];

/** What a reviewer holds against the work. It quotes a line of the real diff, or it isn't one. */
export interface Finding {
  /** Such as `F-2`; unique within its review. */
  readonly id: string;
  readonly severity: Severity;
  /** Who found it, by the point of view: `correctness`, `security` … */
  readonly perspective: string;
  readonly file: string;
  /** In the file as it is now; null for a line that was removed. */
  readonly line: number | null;
  readonly quote: string;
  readonly problem: string;
  /** The criterion or must-not that it breaks; a BLOCKER has one. */
  readonly breaks: string | null;
  /** A command that a model wrote and that fails while the problem is there; never run without approval. */
  readonly command: string | null;
  /** The command was allowed to run, and failed on the reviewed files. */
  readonly failsNow: boolean;
  /** What the reviewer proposes; null where it proposes nothing, or what it proposes would violate a must-not. */
  readonly fix: string | null;
  /** The must-not that the proposed fix would violate; null when it violates none. */
  readonly refused: string | null;
}

/**
 * How a finding was settled. `approved`: its risk was accepted. `task`, `discussed`: it became one, `discussed` with a person's
 * note. `refused`: its fix would violate a must-not.
 */
export const RESOLUTIONS = ["approved", "task", "discussed", "skipped", "refused"] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

export function blockersIn(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ severity }) => severity === "BLOCKER");
}
