import type { Plan } from "../plan/plan.ts";
import type { DraftedPlan } from "./drafted-plan.ts";

export interface Approval {
  /** Which commands were approved. The others are kept as proposals: shown, never run. */
  readonly isApproved: (command: string) => boolean;
  /** How long each check may take. */
  readonly timeoutMs: number;
  /** Tasks whose check may be missing until the work has created what it calls. */
  readonly notYet?: readonly string[];
}

/** The plan that a text without errors asks for. Tasks that are done are left out, and block nobody. */
export function planned(
  { source, tasks, done }: DraftedPlan,
  { isApproved, timeoutMs, notYet = [] }: Approval,
): Plan {
  const doneIds = new Set(done.map(({ id }) => id));
  return {
    source,
    tasks: tasks.map(({ id, subject, description, verify, blockers, files, estimateMs }) => ({
      id,
      subject,
      description,
      check:
        verify !== null && isApproved(verify.command)
          ? {
              command: { kind: "shell", line: verify.command },
              timeoutMs,
              passEnv: [],
              ...(notYet.includes(id) ? { use: "not-yet" } : {}),
            }
          : null,
      proposed: verify === null || isApproved(verify.command) ? null : verify.command,
      blockedBy: blockers.map((each) => each.id).filter((each) => !doneIds.has(each)),
      files,
      estimateMs,
    })),
  };
}
