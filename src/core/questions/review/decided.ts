import type { Actor } from "../../event.ts";
import type { Finding, Resolution } from "../../stages/finding.ts";
import { blockersIn } from "../../stages/finding.ts";

/** What becomes of a finding. */
export interface Decided {
  readonly finding: string;
  readonly how: Resolution;
  /** What a person wants the task to know. */
  readonly note: string | null;
  readonly by: Actor;
}

/** What blockers become where nobody is asked; everything else is kept, shown and skipped. */
export const FINDING_POLICIES = ["tasks", "skip"] as const;
export type FindingPolicy = (typeof FINDING_POLICIES)[number];

/** Null: a task about one of them changed nothing, and only a person can go on. */
export function decidedByPolicy(
  findings: readonly Finding[],
  again: readonly Finding[],
  policy: FindingPolicy,
): readonly Decided[] | null {
  if (policy === "tasks" && again.length > 0) return null;
  const blockers = new Set(blockersIn(findings));
  return findings.map((finding) => {
    const how = blockers.has(finding) ? BLOCKERS[policy] : finding.refused === null ? "skipped" : "refused";
    return { finding: finding.id, how, note: null, by: policy === "skip" ? "person" : "machine" };
  });
}

/** Whoever skips a blocker accepts its risk. */
const BLOCKERS = { tasks: "task", skip: "approved" } as const satisfies {
  readonly [Each in FindingPolicy]: Resolution;
};
