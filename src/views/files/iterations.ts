import type { EventOf, LoopEvent } from "../../core/events/event.ts";
import { isJudged } from "../../core/stop/trouble.ts";
import { exactDollars } from "../cost.ts";
import type { PlannedTask } from "../../core/plan/plan.ts";
import type { Setback } from "../../core/plan/workflow.ts";

/** A line of `iterations.jsonl`: the result of one iteration of a run. */
export interface IterationRow {
  readonly loop: string;
  readonly iteration: number;
  readonly step: string | null;
  readonly status: "continued" | "completed" | "paused" | "interrupted";
  readonly reason: string | null;
  /** Its cost in dollars, including failed attempts; null: not reported. */
  readonly cost: number | null;
  readonly tokens: number;
  readonly said: string | null;
  readonly startedAt: string;
  readonly endedAt: string;
}

export interface IterationRows {
  /** The rows this event ends; they never change afterwards. */
  readonly take: (event: LoopEvent, at: number) => readonly IterationRow[];
  /** The row of an iteration still in progress; null if there is none. */
  readonly unfinished: () => IterationRow | null;
}

interface OpenRow {
  readonly iteration: number;
  readonly step: string | null;
  readonly startedAt: number;
  cost: number;
  tokens: number;
  /** An agent worked and reported no cost. */
  untold: boolean;
  said: string | null;
  /** Its turn ended and the checks judged it. */
  judged: boolean;
  lastAt: number;
  /** Why it doesn't continue. */
  halted: Pick<IterationRow, "status" | "reason">;
}

const ENDS_OF_ITERATIONS: ReadonlySet<LoopEvent["type"]> = new Set([
  "iteration.held",
  "iteration.handed-back",
  "loop.completed",
]);

const CUT_OFF: OpenRow["halted"] = { status: "interrupted", reason: null };

/** Folds events into rows. */
export function iterationRows(loop: string): IterationRows {
  let open: OpenRow | null = null;
  const close = (status: IterationRow["status"], reason: string | null): readonly IterationRow[] => {
    const rows = open === null ? [] : [rowOf(loop, open, { status, reason })];
    open = null;
    return rows;
  };
  const take: IterationRows["take"] = (event, at) => {
    if (event.type === "turn.launched") {
      if (open?.iteration === event.iteration) return [];
      const before = open === null ? [] : close(open.halted.status, open.halted.reason);
      open = opened(event, at);
      return before;
    }
    if (open === null) return [];
    open.lastAt = at;
    note(open, event);
    const { judged, halted } = open;
    // A session that took the loop ends its own iterations.
    if (!judged && ENDS_OF_ITERATIONS.has(event.type)) return close(halted.status, halted.reason);
    if (event.type === "iteration.held" || event.type === "iteration.handed-back") {
      return close("continued", null);
    }
    // Each level of a nested loop has its own iterations.
    if (event.type === "frame.pushed" || event.type === "frame.popped") {
      return close(judged ? "continued" : "interrupted", null);
    }
    if (event.type === "loop.completed") return close("completed", null);
    // An iteration whose turn was cut off continues after the pause.
    return event.type === "loop.paused" && judged ? close("paused", event.reason) : [];
  };
  return { take, unfinished: () => (open === null ? null : rowOf(loop, open, open.halted)) };
}

function opened({ iteration, step }: EventOf<"turn.launched">, at: number): OpenRow {
  const nothing = { cost: 0, tokens: 0, untold: false, said: null, judged: false, halted: CUT_OFF };
  return { iteration, step, startedAt: at, lastAt: at, ...nothing };
}

function note(row: OpenRow, event: LoopEvent): void {
  row.halted = haltedBy(event) ?? row.halted;
  if (event.type === "cost.charged" && event.turn !== undefined) {
    row.cost += event.usd;
    row.tokens += event.tokens;
    row.untold ||= !event.priced && event.usd === 0 && event.tokens === 0;
  }
  if (event.type === "turn.ended" && isJudged(event.outcome)) {
    row.said = event.said;
    row.judged = true;
  }
}

function haltedBy(event: LoopEvent): OpenRow["halted"] | null {
  if (event.type === "loop.paused") return { status: "paused", reason: event.reason };
  if (event.type === "loop.cancelled") return { status: "interrupted", reason: "cancelled" };
  if (event.type === "session.bound") return { status: "interrupted", reason: "taken by a session" };
  return event.type === "loop.continued" ? CUT_OFF : null;
}

function rowOf(loop: string, row: OpenRow, { status, reason }: OpenRow["halted"]): IterationRow {
  const { iteration, step, cost, tokens, said, startedAt, lastAt } = row;
  return {
    loop,
    iteration,
    step,
    status,
    reason,
    cost: row.untold && cost === 0 ? null : exactDollars(cost),
    tokens,
    said,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(lastAt).toISOString(),
  };
}

/** A line of a plan's `iterations.jsonl`: what one attempt at a task came to. */
interface AttemptRow extends IterationRow {
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
  if (event.type === "merge.undone")
    return event.tasks.map((task) => ({ task, status: "interrupted", reason: "not merged" }));
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
