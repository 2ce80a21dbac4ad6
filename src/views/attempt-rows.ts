import type { EventOf, LoopEvent } from "../core/events/event.ts";
import type { PlannedTask } from "../core/plan/plan.ts";
import type { Setback } from "../core/plan/workflow.ts";
import { exactDollars } from "./cost-text.ts";
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
 * goes on with another attempt, `interrupted` while it is neither, and when its task was given up. What the agent said is in the attempt's
 * own loop.
 */
export function attemptRows(
  loop: string,
  events: readonly { readonly event: LoopEvent; readonly at: number }[],
): readonly AttemptRow[] {
  const attempts: OpenAttempt[] = [];
  let tasks: readonly PlannedTask[] = [];
  /** The task whose result was recorded just before: what it cost follows. */
  let charged: string | null = null;
  const last = (task: string | null): OpenAttempt | undefined =>
    attempts.findLast(({ started }) => started.task === task);
  for (const { event, at } of events) {
    if (event.type === "plan.adopted") ({ tasks } = event.plan);
    if (event.type === "attempt.started")
      attempts.push({
        iteration: attempts.length + 1,
        started: event,
        startedAt: at,
        endedAt: at,
        ...NOTHING,
      });
    for (const { task, ...end } of endsIn(event)) Object.assign(last(task) ?? {}, { ...end, endedAt: at });
    if (event.type === "cost.charged") addCost(last(charged), event);
    charged = event.type === "attempt.finished" || event.type === "attempt.set-back" ? event.task : null;
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
    cost: exactDollars(rest.cost),
    tokens: rest.tokens,
    said: null,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
  }));
}

const NOTHING = { cost: 0, tokens: 0, status: "interrupted", reason: null } as const;

type End = Pick<IterationRow, "status" | "reason"> & { readonly task: string };

/** What an event makes of attempts, by their tasks. */
function endsIn(event: LoopEvent): readonly End[] {
  if (event.type === "attempt.finished")
    return [{ task: event.task, status: "interrupted", reason: "not merged" }];
  if (event.type === "attempt.set-back") return [setBack(event)];
  if (event.type === "task.given-up")
    return [{ task: event.task, status: "interrupted", reason: "given up" }];
  if (event.type !== "merge.ended") return [];
  const merged = event.accepted.map(({ task }): End => ({ task, status: "completed", reason: null }));
  return [...merged, ...event.setBack.map(setBack)];
}

function setBack({ task, setback }: { readonly task: string; readonly setback: Setback }): End {
  return { task, status: "continued", reason: setback.kind };
}

function addCost(attempt: OpenAttempt | undefined, { usd, tokens }: EventOf<"cost.charged">): void {
  if (attempt === undefined) return;
  attempt.cost += usd;
  attempt.tokens += tokens;
}
