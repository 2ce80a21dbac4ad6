import { elapsedMs, type Loop } from "../../core/loop/loop.ts";
import type { Spent } from "../../core/stop/facts.ts";
import type { Trouble } from "../../core/stop/trouble.ts";
import type { AgentEvent } from "../../agents/drivers/driver.ts";
import { durationText } from "../../system/text/quantities.ts";
import { watchForLoss } from "./take-loop.ts";
import type { RunContext } from "./run-context.ts";

export interface EndWatch {
  readonly signal: AbortSignal;
  /** An agent that only retries counts as silent. */
  readonly sees: (agentEvent: AgentEvent) => void;
  /** What the turn has cost up to here, in all. */
  readonly costs: (spent: Spent) => void;
  /** Why we ended the turn; null if we didn't. */
  readonly cause: () => Trouble | null;
  readonly stop: () => void;
}

const MINUTES_LOOK_MS = 500;
/** An agent may report its bill just before it ends by itself, with its work done. */
const GRACE_MS = 2_000;
const RETRYING_LIMIT_MS = 10 * 60_000;

/** Everything that ends a turn from outside: the person, a limit, or a pause, cancel or takeover of the loop. */
export function watchForEnd(context: RunContext, launched: Loop): EndWatch {
  const { machine, interrupts } = context;
  const controller = new AbortController();
  // Limits may be raised while the turn runs.
  let { limits } = launched;
  let first: Trouble | null = null;
  let soon: NodeJS.Timeout | undefined;
  let retrying: NodeJS.Timeout | undefined;
  let isRetrying = false;
  const end = (cause: Trouble): void => {
    first ??= cause;
    controller.abort();
  };
  const onNow = (): void => end({ kind: "interrupted", detail: "it was interrupted" });
  if (interrupts.now.aborted) onNow();
  interrupts.now.addEventListener("abort", onNow);

  const own = watchForLoss(context, (loop) => {
    limits = loop.limits;
  });
  own.lost.addEventListener("abort", () => end({ kind: "interrupted", detail: String(own.lost.reason) }));
  // Minutes are a limit like money: a turn doesn't run past them.
  const timer = setInterval(() => {
    const { minutes } = limits;
    if (minutes !== null && elapsedMs(launched, machine.now()) >= minutes * 60_000)
      end(atLimit("of minutes"));
  }, MINUTES_LOOK_MS);
  return {
    signal: controller.signal,
    sees: ({ type }) => {
      if (type !== "retrying") clearTimeout(retrying);
      if (type === "retrying" && !isRetrying) {
        const detail = `the agent only tried again for ${durationText(RETRYING_LIMIT_MS)}`;
        retrying = setTimeout(() => end({ kind: "transient", detail }), RETRYING_LIMIT_MS);
      }
      isRetrying = type === "retrying";
    },
    costs: ({ usd, tokens }) => {
      const { spend } = launched;
      const reached = (limit: number | null, value: number): boolean => limit !== null && value >= limit;
      const limit = reached(limits.budgetUsd, spend.usd + usd)
        ? "of dollars"
        : reached(limits.tokens, spend.tokens + tokens)
          ? "of tokens"
          : null;
      if (limit !== null) soon ??= setTimeout(() => end(atLimit(limit)), GRACE_MS);
    },
    cause: () => first,
    stop: () => {
      own.stop();
      clearInterval(timer);
      clearTimeout(soon);
      clearTimeout(retrying);
      interrupts.now.removeEventListener("abort", onNow);
    },
  };
}

function atLimit(of: string): Trouble {
  return { kind: "budget", detail: `the agent was ended in the middle of a turn, at the limit ${of}` };
}
