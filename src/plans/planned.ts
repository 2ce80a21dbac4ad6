import type { Plan } from "../core/plan/plan.ts";
import type { DraftedPlan } from "./drafted-plan.ts";

export interface Approval {
  /** A person approved the commands. Otherwise they are kept as proposals: shown, never run. */
  readonly isApproved: boolean;
  /** How long each check may take. */
  readonly timeoutMs: number;
}

/** The plan that a text without errors asks for. Tasks that are done are left out, and block nobody. */
export function planned({ source, tasks, done }: DraftedPlan, { isApproved, timeoutMs }: Approval): Plan {
  const doneIds = new Set(done.map(({ id }) => id));
  return {
    source,
    tasks: tasks.map(({ id, subject, description, verify, blockers, files, estimateMs }) => ({
      id,
      subject,
      description,
      check:
        isApproved && verify !== null
          ? { command: { kind: "shell", line: verify.command }, timeoutMs, passEnv: [] }
          : null,
      proposed: isApproved ? null : (verify?.command ?? null),
      blockedBy: blockers.map((each) => each.id).filter((each) => !doneIds.has(each)),
      files,
      estimateMs,
    })),
  };
}
