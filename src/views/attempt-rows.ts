import type { EventOf, LoopEvent } from "../core/event.ts";
import type { PlannedTask } from "../core/plan/plan.ts";
import type { IterationRow } from "./iterations-view.ts";

/** A line of a plan's `iterations.jsonl`: what one attempt at a task came to. */
export interface AttemptRow extends IterationRow {
  readonly task: string;
  readonly attempt: number;
}

interface OpenAttempt {
  readonly iteration: number;
  readonly started: EventOf<"attempt.started">;
  readonly startedAt: number;
  cost: number;
  tokens: number;
  status: IterationRow["status"];
  reason: string | null;
  endedAt: number;
}

/**
 * A row an attempt, in the order in which they began: `completed` once its work is merged, `continued` when the task was set back and
 * goes on with another attempt, `interrupted` while it is neither.
 */
export function attemptRows(
  loop: string,
  events: readonly { readonly event: LoopEvent; readonly at: number }[],
): readonly AttemptRow[] {
  const attempts: OpenAttempt[] = [];
  let tasks: readonly PlannedTask[] = [];
  /** The task whose result was recorded just before: what it cost follows. */
  let last: string | null = null;
  const of = (task: string | null): OpenAttempt | undefined =>
    attempts.findLast(({ started }) => started.task === task);
  const end = (task: string, at: number, status: IterationRow["status"], reason: string | null): void => {
    Object.assign(of(task) ?? {}, { status, reason, endedAt: at });
    last = task;
  };
  for (const { event, at } of events) {
    switch (event.type) {
      case "plan.adopted":
        ({ tasks } = event.plan);
        break;
      case "attempt.started": {
        const nothing = { cost: 0, tokens: 0, status: "interrupted", reason: null } as const;
        attempts.push({
          iteration: attempts.length + 1,
          started: event,
          startedAt: at,
          endedAt: at,
          ...nothing,
        });
        break;
      }
      case "attempt.finished":
        end(event.task, at, "interrupted", "not merged");
        break;
      case "attempt.set-back":
        end(event.task, at, "continued", event.setback.kind);
        break;
      case "merge.ended":
        for (const { task } of event.accepted) end(task, at, "completed", null);
        for (const { task, setback } of event.setBack) end(task, at, "continued", setback.kind);
        break;
      case "cost.charged": {
        const ended = of(last);
        if (ended !== undefined) {
          ended.cost += event.usd;
          ended.tokens += event.tokens;
        }
        last = null;
        break;
      }
      default:
        last = null;
    }
  }
  const subjects = new Map(tasks.map(({ id, subject }) => [id, subject]));
  return attempts.map(({ iteration, started: { task, number }, startedAt, endedAt, ...rest }) => ({
    loop,
    iteration,
    task,
    attempt: number,
    step: `${task}: ${subjects.get(task) ?? ""}`,
    status: rest.status,
    reason: rest.reason,
    cost: rest.cost,
    tokens: rest.tokens,
    said: null,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
  }));
}
