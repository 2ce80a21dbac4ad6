import type { LiveLoop } from "../../storage/loops/live-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { SessionId } from "../../core/loop/id.ts";
import type { Loop } from "../../core/loop/loop.ts";
import type { PriceTable } from "../../agents/cost/price.ts";
import type { Driver } from "../../agents/drivers/driver.ts";
import type { Guardian } from "../../system/process/guardian.ts";
import type { Workplace } from "../../storage/home/project.ts";
import type { FileChange } from "../../worktrees/checkpoints/changes.ts";
import type { AgentChoice } from "./agent-choice.ts";
import type { Interrupts } from "./interrupts.ts";
import type { RunNews } from "../../views/news/news.ts";
import type { OutputQuota } from "./output-quota.ts";
import type { Redact } from "../../system/secrets/redact.ts";

/** Whether to go on: this once, without another question from here on, or not. */
export type GoesOn = "once" | "always" | "no";

/** A person at the terminal, for the shapes that ask. */
export interface Person {
  /** After an iteration, with what it changed. `lost`: the answer is not needed any more. */
  readonly goesOn: (loop: Loop, changes: readonly FileChange[] | null, lost: AbortSignal) => Promise<GoesOn>;
}

/** One run: a process that drives one loop with one agent, until it ends or pauses. */
export interface RunContext {
  /** With the run's mark in its environment, so everything it starts can be found. */
  readonly machine: Machine;
  readonly run: SessionId;
  /** The loop it drives. */
  readonly live: LiveLoop;
  readonly workplace: Workplace;
  readonly driver: Driver;
  readonly choice: AgentChoice;
  /** A folder with the program `loop` in it, for the agent. */
  readonly programs: string;
  readonly guardian: Guardian;
  readonly outputQuota: OutputQuota;
  readonly prices: PriceTable;
  /** Removes secrets of the environment. */
  readonly redact: Redact;
  readonly interrupts: Interrupts;
  readonly person: Person | null;
  /** Until when the agent waits for a usage limit that somebody else met; null: it doesn't. */
  readonly waitsUntil: () => number | null;
  /** What a turn has to be expected to cost at least, before what the loop itself has seen; null: its agent caps itself, or it shares its budget with nobody. */
  readonly turnUsd: number | null;
  readonly tell: (news: RunNews) => void;
}
