import type { PauseReason } from "../loop.ts";
import type { Trouble } from "./trouble.ts";

/** What is done about a turn that ended in trouble. None of it counts an iteration. */
export type Remedy =
  | { readonly type: "retry"; readonly delayMs: number; readonly anew: boolean }
  | { readonly type: "wait"; readonly until: number }
  | { readonly type: "pause"; readonly reason: PauseReason; readonly detail: string };

const RETRY_DELAY_MS = 2_000;
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_GROWTH = 8;
/** A limit that never ends is a person's to look at. */
const MOST_WAITS = 20;

export interface TroubledTurn {
  /** How many turns of this iteration ended in trouble of the passing kind before this one. */
  readonly retries: number;
  /** How many usage limits it met in a row. */
  readonly waits: number;
  /** It was to go on with a conversation. */
  readonly resumed: boolean;
}

/** A turn that was ended at a limit is judged instead. */
export type Mendable = Exclude<Trouble, { kind: "budget" }>;

export function remedyFor(trouble: Mendable, { retries, waits, resumed }: TroubledTurn, now: number): Remedy {
  const { detail } = trouble;
  switch (trouble.kind) {
    case "usage-limit": {
      if (trouble.resetsAt === null || waits >= MOST_WAITS)
        return { type: "pause", reason: "rate-limit", detail };
      // A reset that is always just over is waited for longer and longer.
      const shortest = SHORTEST_WAIT_MS * 2 ** Math.min(waits, LONGEST_GROWTH);
      return { type: "wait", until: Math.max(trouble.resetsAt, now + shortest) };
    }
    case "transient":
    case "interrupted":
      if (retries === 0) return { type: "retry", delayMs: RETRY_DELAY_MS, anew: false };
      return { type: "pause", reason: "unknown-error", detail: `${detail}, also when tried again` };
    case "lost-conversation":
      // A new one cannot be lost the same way, so this does not go on for ever.
      if (resumed) return { type: "retry", delayMs: 0, anew: true };
      return { type: "pause", reason: "unknown-error", detail };
    case "blocking":
      return { type: "pause", reason: "blocked", detail };
    case "unknown":
      return { type: "pause", reason: "unknown-error", detail };
  }
}
