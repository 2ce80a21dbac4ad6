import type { ExitRule, Mode, Origin } from "../../core/loop/loop.ts";

/** One level of a loop that another hook keeps. */
export interface ForeignFrame {
  /** Tells a frame from one that replaced it; null if the store has none. */
  readonly id: string | null;
  readonly mode: Mode;
  readonly iteration: number;
  readonly iterationLimit: number | null;
}

/** A loop that another hook keeps in its own store. */
export interface ForeignLoop {
  readonly origin: Exclude<Origin, "native">;
  readonly spec: string;
  readonly exitRule: ExitRule;
  /** Outermost first. */
  readonly frames: readonly [ForeignFrame, ...ForeignFrame[]];
  readonly criteria: readonly string[];
  readonly steps: readonly string[];
}

/** What a store says. It only counts in the direction of letting go. */
export type ForeignState =
  | { readonly type: "none" }
  | { readonly type: "running"; readonly loop: ForeignLoop; readonly writtenAt: number | null }
  /** Done, cancelled, paused, aborted, or its own breaker is open. */
  | { readonly type: "over"; readonly why: string }
  | { readonly type: "corrupt"; readonly why: string };

export function isCounter(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
