import type { Evidence, VerificationType } from "../loop/criterion.ts";
import type { ClaimSource } from "../events/event.ts";
import type { SessionId } from "../loop/id.ts";
import type { Proven } from "../loop/proof.ts";
import type { Loop, Mode, TokenCounts } from "../loop/loop.ts";

/** Why the agent stopped, according to its host. Only `end-of-turn` is an end of work. */
export type StopKind =
  | "end-of-turn"
  | "subagent"
  | "background-work"
  | "context-limit"
  | "interrupt"
  | "plan-mode"
  | "awaiting-user"
  | "api-error";

/** A completion tag on its own line, outside code. */
export type Signal = "COMPLETE" | "DONE" | "NO_MORE_ISSUES" | "STUCK" | "MAX_ITERATIONS" | "MAX_ISSUES";

export type SignalTag = {
  readonly tag: "loop-done" | "issue-complete" | "grind-done";
  readonly signal: Signal;
};

export const TAGS_OF_MODE: { readonly [M in Mode]: readonly SignalTag["tag"][] } = {
  loop: ["loop-done"],
  issue: ["loop-done", "issue-complete"],
  grind: ["grind-done"],
};

/** One thing the agent says is true. Checks can contradict it. */
export type Claim =
  | {
      readonly type: "met";
      readonly name: string;
      readonly by: VerificationType;
      readonly source: ClaimSource;
    }
  | { readonly type: "unmet"; readonly name: string; readonly source: ClaimSource }
  | { readonly type: "step-done"; readonly name: string; readonly source: ClaimSource }
  | { readonly type: "task-done"; readonly name: string; readonly source: ClaimSource }
  | { readonly type: "exit"; readonly source: ClaimSource }
  | { readonly type: "no-exit"; readonly source: ClaimSource }
  | { readonly type: "blocked"; readonly reason: string }
  | { readonly type: "next"; readonly text: string };

/** What the last message said, read by the host's rules. */
export interface Said {
  readonly claims: readonly Claim[];
  /** `<loop-complete>` on its own line, outside code. */
  readonly marker: boolean;
  /** In written order; the last one that fits the mode counts. */
  readonly signals: readonly SignalTag[];
}

export const SAID_NOTHING: Said = { claims: [], marker: false, signals: [] };

/** One edit of a file within an iteration: what it became, and what failed then. */
export interface FileEdit {
  readonly path: string;
  readonly contentDigest: string;
  readonly failure: string | null;
}

export interface Spent {
  readonly usd: number;
  readonly tokens: number;
  readonly priced: boolean;
  /** How far a transcript was read; null if the figures come from elsewhere. */
  readonly cursor: string | null;
}

/** A driven turn, as its driver saw it. Its checks run at every stop, claimed or not. */
export interface DrivenTurn {
  readonly id: string;
  /** It ended by itself or at a limit. */
  readonly outcome: "finished" | "budget";
  /** It ended itself at its budget. */
  readonly cappedItself: boolean;
  /** The agent has no way to claim the end except by ending. */
  readonly claimsDone: boolean;
  /** The agent's last words, shortened. */
  readonly said: string | null;
  readonly reportedUsd: number | null;
  readonly reportedTokens: TokenCounts | null;
  /** What the agent was not allowed to do, and the rule that would allow it. */
  readonly denials: readonly string[];
}

/** A must-not after a look at it: null when it holds. */
export interface MustNotObservation {
  readonly mustNot: string;
  readonly violation: string | null;
}

/** What became of the tasks of a plan at this stop: judged and merged by a process that the hook started. */
export interface Settlement {
  /** Claimed to be done, and not shown to be. */
  readonly rejected: readonly { readonly task: string; readonly why: string }[];
}

/** The findings for this decision. Empty at first; `decide` asks for what it needs. */
export interface Observations {
  readonly tree?: string | null;
  /** Why the reading doesn't cover all files, in a few words each; left out if it does. */
  readonly treeDoubts?: readonly string[];
  readonly head?: string | null;
  readonly mustNots?: readonly MustNotObservation[];
  readonly checks?: ReadonlyMap<string, Evidence>;
  /** Checks that continue in the background because they would outlast the host's timeout. */
  readonly outlasting?: readonly string[];
  /** What was shown beyond the checks. */
  readonly proven?: Proven;
  readonly settlement?: Settlement;
}

/** Adds new findings. Checks and proofs may change files, so must-nots are checked again after them. */
export function mergeObservations(before: Observations, now: Observations): Observations {
  const { mustNots, ...rest } = before;
  const checks = new Map([...(before.checks ?? []), ...(now.checks ?? [])]);
  return {
    ...rest,
    ...(mustNots === undefined || now.checks !== undefined || now.proven !== undefined ? {} : { mustNots }),
    ...now,
    checks,
  };
}

export type Need =
  | { readonly type: "tree" }
  | { readonly type: "must-nots" }
  | { readonly type: "checks"; readonly names: readonly string[] }
  /** What changed since the opening, and all proofs that follow from it. */
  | { readonly type: "proofs" }
  /** The tasks of a plan that are claimed to be done: judged and merged. */
  | { readonly type: "settlement" };

/** What was found in place of the caller's loop. */
export type Subject =
  | { readonly type: "none" }
  | { readonly type: "corrupt"; readonly why: string }
  /** `damage`: why a file of the loop cannot be understood. */
  | { readonly type: "loop"; readonly loop: Loop; readonly damage?: string };

/** How often a host lets one prompt be held, how often it was, and what its user can do about it. */
interface HoldsOfPrompt {
  readonly most: number;
  readonly held: number;
  readonly host: string;
  readonly raise: string | null;
}

export interface StopFacts {
  readonly now: number;
  /** LOOP_DISABLE=1 or IDLE_LOOP_DISABLE=1. */
  readonly disabled: boolean;
  /** null: the host named no valid session. */
  readonly session: SessionId | null;
  readonly trusted: boolean;
  readonly stop: StopKind;
  /** The host says that this stop follows a hold of ours, without a prompt in between. */
  readonly continuesHold: boolean;
  readonly personPresent: boolean;
  readonly said: Said;
  /** Tool calls since the previous stop; null if the host doesn't report them. */
  readonly toolUses: number | null;
  readonly edits: readonly FileEdit[];
  /** The host overrides holds after this many in a row without a tool call; null if it never does. */
  readonly holdCap: number | null;
  /** The host overrides holds after so many of one prompt; left out if it never does. */
  readonly promptCap?: HoldsOfPrompt;
  /** The spending in the transcript since it was last read; null if it cannot be read. */
  readonly spent: Spent | null;
  readonly findings: Observations;
  /** Absent for a host, which asks about stops instead of ending turns. */
  readonly turn?: DrivenTurn;
}

/** What a host says about a stop; the rest is looked up. */
export type StopRequest = Omit<StopFacts, "now" | "disabled" | "trusted" | "spent" | "findings" | "turn">;
