import type { LoopEvent } from "../core/event.ts";
import { isJudged } from "../core/trouble.ts";

/** A line of `iterations.jsonl`: what one iteration of a run came to. */
export interface IterationRow {
  readonly loop: string;
  readonly iteration: number;
  readonly step: string | null;
  readonly status: "continued" | "completed" | "paused" | "interrupted";
  readonly reason: string | null;
  /** What it cost in dollars, with the attempts that came to nothing. */
  readonly cost: number;
  readonly tokens: number;
  readonly said: string | null;
  readonly startedAt: string;
  readonly endedAt: string;
}

interface OpenRow {
  readonly iteration: number;
  readonly step: string | null;
  readonly startedAt: number;
  cost: number;
  tokens: number;
  said: string | null;
  /** Its turn came to an end that the checks decided on. */
  judged: boolean;
}

/** Folds events into rows. A row is given out when its iteration is over, and never changes afterwards. */
export function iterationRows(loop: string): (event: LoopEvent, at: number) => readonly IterationRow[] {
  let open: OpenRow | null = null;
  const close = (
    status: IterationRow["status"],
    reason: string | null,
    at: number,
  ): readonly IterationRow[] => {
    if (open === null) return [];
    const { iteration, step, startedAt, cost, tokens, said } = open;
    open = null;
    return [
      {
        loop,
        iteration,
        step,
        status,
        reason,
        cost,
        tokens,
        said,
        startedAt: new Date(startedAt).toISOString(),
        endedAt: new Date(at).toISOString(),
      },
    ];
  };
  return (event, at) => {
    if (event.type === "turn.launched") {
      if (open?.iteration === event.iteration) return [];
      const before = close("interrupted", null, at);
      const { iteration, step } = event;
      open = { iteration, step, startedAt: at, cost: 0, tokens: 0, said: null, judged: false };
      return before;
    }
    if (open === null) return [];
    if (event.type === "cost.charged") {
      open.cost += event.usd;
      open.tokens += event.tokens;
    }
    if (event.type === "turn.ended" && isJudged(event.outcome)) {
      open.said = event.said;
      open.judged = true;
    }
    if (event.type === "iteration.held" || event.type === "iteration.handed-back") {
      return close("continued", null, at);
    }
    // Each level of a nested loop has iterations of its own.
    if (event.type === "frame.pushed" || event.type === "frame.popped")
      return close(open.judged ? "continued" : "interrupted", null, at);
    if (event.type === "loop.completed") return close("completed", null, at);
    // An iteration whose turn was cut off goes on after the pause.
    return event.type === "loop.paused" && open.judged ? close("paused", event.reason, at) : [];
  };
}
