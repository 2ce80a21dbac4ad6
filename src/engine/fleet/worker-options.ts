import type { Ceilings } from "./check-envelope.ts";
import type { JobContext } from "./run-job.ts";

export interface WorkerOptions extends Omit<JobContext, "waitsUntil" | "limit">, Ceilings {
  readonly slots: number;
  readonly labels: readonly string[];
  readonly account: string;
  readonly version: string;
  /** Ends after one attempt. */
  readonly once: boolean;
  readonly times: WorkerTimes;
  /** Takes nothing new, and lets each attempt end its iteration. */
  readonly soon: AbortSignal;
  readonly now: AbortSignal;
  readonly tell: (news: WorkerNews) => void;
}

export interface WorkerTimes {
  /** How often a lease is renewed. */
  readonly refreshMs: number;
  readonly lookMs: number;
}

export const USUAL_WORKER_TIMES: WorkerTimes = { refreshMs: 15_000, lookMs: 2_000 };

export type WorkerNews =
  | { readonly type: "took"; readonly key: string; readonly agent: string; readonly isResumed: boolean }
  | { readonly type: "refused"; readonly job: string; readonly why: string }
  | { readonly type: "ended"; readonly key: string; readonly outcome: string }
  /** Its lease ran out, and it is made again elsewhere. */
  | { readonly type: "lost"; readonly key: string }
  | { readonly type: "failed"; readonly key: string; readonly why: string }
  /** Its disk is too full to begin anything; null: there is room again. */
  | { readonly type: "full"; readonly freeBytes: number | null }
  /** A driver's attempts can't be understood here. */
  | { readonly type: "other-version"; readonly driver: string; readonly version: number }
  /** A driver has accepted this worker, whose owner hasn't accepted that driver. */
  | { readonly type: "stranger"; readonly driver: string }
  | { readonly type: "draining"; readonly running: number };
