import type { EventOf, LoopEvent } from "../core/events/event.ts";
import { isJudged } from "../core/stop/trouble.ts";
import { exactDollars } from "./cost-text.ts";

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
