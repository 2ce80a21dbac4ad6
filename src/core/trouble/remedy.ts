import type { PauseReason } from "../loop.ts";
import type { Trouble } from "./trouble.ts";

/** What to do about a turn that ended in trouble. None of it counts an iteration. */
export type Remedy =
  | { readonly type: "retry"; readonly delayMs: number; readonly anew: boolean }
  | { readonly type: "wait"; readonly until: number }
  | { readonly type: "pause"; readonly reason: PauseReason; readonly detail: string };

const RETRY_DELAY_MS = 2_000;
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_GROWTH = 8;
/** A limit that never ends needs a person. */
const MOST_WAITS = 20;

export interface TroubledTurn {
  /** How many earlier turns of this iteration ended in transient trouble. */
  readonly retries: number;
  /** How many usage limits it hit in a row. */
  readonly waits: number;
  /** Whether it should have continued a conversation. */
  readonly resumed: boolean;
}

/** A turn that ended at a limit is judged instead. */
export type Mendable = Exclude<Trouble, { kind: "budget" }>;

export function remedyFor(trouble: Mendable, { retries, waits, resumed }: TroubledTurn, now: number): Remedy {
  const { detail } = trouble;
  switch (trouble.kind) {
    case "usage-limit": {
      if (trouble.resetsAt === null || waits >= MOST_WAITS)
        return { type: "pause", reason: "rate-limit", detail };
      // If the limit keeps coming back, wait longer each time.
      const shortest = SHORTEST_WAIT_MS * 2 ** Math.min(waits, LONGEST_GROWTH);
      return { type: "wait", until: Math.max(trouble.resetsAt, now + shortest) };
    }
    case "transient":
    case "interrupted":
      if (retries === 0) return { type: "retry", delayMs: RETRY_DELAY_MS, anew: false };
      return { type: "pause", reason: "unknown-error", detail: `${detail}, again after a retry` };
    case "lost-conversation":
      // A new conversation cannot be lost the same way, so this doesn't repeat forever.
      if (resumed) return { type: "retry", delayMs: 0, anew: true };
      return { type: "pause", reason: "unknown-error", detail };
    case "blocking":
      return { type: "pause", reason: "blocked", detail };
    case "unknown":
      return { type: "pause", reason: "unknown-error", detail };
  }
}
