import type { WorkflowTask } from "./plan.ts";
import type { StatusView } from "./status.ts";
import type { IterationView } from "./story/iterations.ts";

/** Until when it waits for a usage limit, after which it resumes by itself. null: it waits for none. */
export function waitsUntil({ live, workflow }: Pick<StatusView, "live" | "workflow">): string | null {
  return live?.until ?? workflow?.waits[0]?.until ?? null;
}

/** Until when the agent of a task's attempt waits. null: it works, or there is none. */
export function taskWaitsUntil({ state, live }: Pick<WorkflowTask, "state" | "live">): string | null {
  return state === "running" ? (live?.until ?? null) : null;
}

/** The limit may be over before the next record says so. */
export function isWaiting(until: string | null, now: number): until is string {
  return until !== null && Date.parse(until) > now;
}

/** At work there is nobody when the run was killed: what was open then was cut off. */
export function cutOff(iterations: readonly IterationView[], at: string): readonly IterationView[] {
  return iterations.map((each) =>
    each.verdict === "at-work" ? { ...each, verdict: "interrupted", endedAt: at } : each,
  );
}
