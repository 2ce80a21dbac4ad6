import type { PauseReason } from "../loop/loop.ts";

/** What went wrong in an agent's turn, by what can be done about it. */
export type Trouble =
  /** The account's limit. If the reset is known, the run waits for it. */
  | { readonly kind: "usage-limit"; readonly detail: string; readonly resetsAt: number | null }
  /** The network, a timeout, an overloaded service: worth a retry. */
  | { readonly kind: "transient"; readonly detail: string }
  /** Only a person can help: a login, a permission, a program that is missing, an unpaid bill. */
  | { readonly kind: "blocking"; readonly detail: string }
  /** It ended at a limit: by itself at its budget, or by us. */
  | { readonly kind: "budget"; readonly detail: string }
  /** The agent cannot continue the conversation: it doesn't know it, or it is too long. A new one works. */
  | { readonly kind: "lost-conversation"; readonly detail: string }
  /** Something ended it before it was done: us or somebody else. */
  | { readonly kind: "interrupted"; readonly detail: string }
  | { readonly kind: "unknown"; readonly detail: string };

/** The checks judge a turn that ended by itself, and one ended at a limit, which may have just finished. */
export function isJudged(outcome: Trouble["kind"] | "finished"): outcome is "finished" | "budget" {
  return outcome === "finished" || outcome === "budget";
}

/** What to do about a turn that ended in trouble. None of it counts an iteration. */
export type Recovery =
  | { readonly type: "retry"; readonly delayMs: number; readonly anew: boolean }
  | { readonly type: "wait"; readonly until: number }
  | { readonly type: "pause"; readonly reason: PauseReason; readonly detail: string };

const RETRY_DELAY_MS = 2_000;
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_GROWTH = 8;
/** A limit that never ends needs a person. */
const MOST_WAITS = 20;

interface TroubledTurn {
  /** How many earlier turns of this iteration ended in transient trouble. */
  readonly retries: number;
  /** How many usage limits it hit in a row. */
  readonly waits: number;
  /** Whether it should have continued a conversation. */
  readonly resumed: boolean;
}

/** A turn that ended at a limit is judged instead. */
export type Mendable = Exclude<Trouble, { kind: "budget" }>;

export function recoveryFor(
  trouble: Mendable,
  { retries, waits, resumed }: TroubledTurn,
  now: number,
): Recovery {
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
      return { type: "pause", reason: "same-error", detail: `${detail}, again after a retry` };
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
