import type { Loop } from "../../core/loop/loop.ts";
import type { PriceTable } from "../../agents/cost/price.ts";
import type { Driver } from "../../agents/drivers/driver.ts";
import type { Guardian, Guardians } from "../../system/process/guardian.ts";
import type { WorkingDirectory } from "../../storage/home/project.ts";
import type { FileChange } from "../../worktrees/checkpoints/changes.ts";
import type { AgentChoice } from "./agent-choice.ts";
import type { RunNews } from "../../views/news/news.ts";
import type { OutputQuota } from "./turn-folder.ts";
import type { Redact } from "../../system/secrets/redact.ts";
import type { EventOf } from "../../core/events/event.ts";
import type { OwnRun } from "./take-loop.ts";

/** What the person at the terminal wants: once, to pause after this iteration; twice, to stop now. */
export interface Interrupts {
  readonly asked: () => boolean;
  readonly now: AbortSignal;
}

export const NO_INTERRUPTS: Interrupts = { asked: () => false, now: new AbortController().signal };

/** What the journal records for it. */
export const INTERRUPTED: EventOf<"loop.paused"> = {
  type: "loop.paused",
  reason: "user",
  detail: "interrupted",
  by: "person",
};

/** Whether to go on: this once, without another question from here on, or not. */
export type GoesOn = "once" | "always" | "no";

/** A person at the terminal, for the shapes that ask. */
export interface Person {
  /** After an iteration, with what it changed. `lost`: the answer is not needed any more. */
  readonly goesOn: (loop: Loop, changes: readonly FileChange[] | null, lost: AbortSignal) => Promise<GoesOn>;
}

export interface RunRequest {
  readonly choice: AgentChoice;
  /** The program itself, which also plays the guardian and rehearsals. */
  readonly cli: string;
  /** Of a process that has more than this run; otherwise it gets one of its own. */
  readonly guardians?: Guardians | undefined;
  readonly interrupts: Interrupts;
  readonly person: Person | null;
  readonly tell: (news: RunNews) => void;
  /** Until when the agent waits for a usage limit that somebody else met; null: it doesn't. */
  readonly waitsUntil?: () => number | null;
  /** A turn left its checks failing: what the next one does differently; null: nothing that it doesn't know. */
  readonly advise?: (loop: Loop) => Promise<string | null>;
  /** What a turn of others that share a budget with it has cost at most; null: it shares none. */
  readonly turnUsd?: number | null;
}

/** One run: a process that drives one loop with one agent, until it ends or pauses. Its machine marks what the run starts, so that all of it can be found. */
export interface RunContext extends OwnRun, Required<Omit<RunRequest, "cli" | "guardians">> {
  readonly workingDirectory: WorkingDirectory;
  readonly driver: Driver;
  /** A folder with the program `loop` in it, for the agent. */
  readonly programs: string;
  readonly guardian: Guardian;
  readonly outputQuota: OutputQuota;
  readonly prices: PriceTable;
  /** Removes secrets of the environment. */
  readonly redact: Redact;
  /** What a turn has to be expected to cost at least, before what the loop itself has seen; null: its agent caps itself, or it shares its budget with nobody. */
  readonly turnUsd: number | null;
}
