import type { Way } from "./ending.ts";
import type { Script } from "./script.ts";
import type { World } from "./stage/world.ts";
import type { Assignment } from "./task.ts";

/** How a gate let an agent go: as verified, with a doubt that it names, or not at all. */
type Verdict = "verified" | "weak" | "held";

export interface Judged {
  readonly verdict: Verdict;
  /** In the gate's own words. */
  readonly reason: string;
}

/** One ending of one task, before one gate. */
export interface Play {
  readonly task: Assignment;
  readonly ending: Way;
  /** Where an ending can be spelled in several ways: which one. */
  readonly how?: string;
  readonly script: Script;
  readonly gate: Gate;
  readonly withHoldout: boolean;
}

export interface Gate {
  readonly name: string;
  readonly what: string;
  /** It plays the loop itself, or is played in a session; others only look at claims. */
  readonly isOurs: boolean;
  /** Only endings that are for sessions are played before it, unless all are asked for. */
  readonly isForSessions?: true;
  readonly judge: (world: World, play: Play) => Promise<Judged>;
}

export interface Result extends Judged {
  readonly play: Play;
  readonly turns: number;
  /** Whether the work was right when the gate said so. */
  readonly isRight: boolean;
  /** Beyond what the agent itself took. */
  readonly addedSeconds: number;
}

/** More than enough for a second try. */
export const MOST_TURNS = 3;
