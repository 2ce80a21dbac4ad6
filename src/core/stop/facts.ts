import type { Evidence, VerificationType } from "../criterion.ts";
import type { ClaimSource } from "../event.ts";
import type { SessionId } from "../id.ts";
import type { Proven } from "../proof.ts";
import type { Loop, Mode, TokenCounts } from "../loop.ts";

/** Why the agent came to a halt, as its host tells it. Only `end-of-turn` is an end of work. */
export type StopKind =
  | "end-of-turn"
  | "subagent"
  | "background-work"
  | "context-limit"
  | "interrupt"
  | "plan-mode"
  | "awaiting-user"
  | "api-error";

/** A completion tag that stood on a line of its own, outside code. */
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

/** One thing that the agent says is true. Claims are believed only as far as the checks let them. */
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
  | { readonly type: "blocked"; readonly reason: string };

/** What the last message said, read by the host's rules. */
export interface Said {
  readonly claims: readonly Claim[];
  /** `<loop-complete>` on a line of its own, outside code. */
  readonly marker: boolean;
  /** In the order they were written; the last one that fits the mode counts. */
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
  /** How far a transcript was read; null where the figures come from elsewhere. */
  readonly cursor: string | null;
}

/** A turn that was driven from outside, as its driver saw it. Its checks are run at every stop, claimed or not. */
export interface DrivenTurn {
  readonly id: string;
  /** It came to its own end, or was ended at a limit. */
  readonly outcome: "finished" | "budget";
  /** It ended itself at the budget that it was given. */
  readonly cappedItself: boolean;
  /** The agent has no words for the end, and claims it by ending. */
  readonly claimsDone: boolean;
  /** The agent's last words, shortened. */
  readonly said: string | null;
  readonly reportedUsd: number | null;
  readonly reportedTokens: TokenCounts | null;
  /** What the agent was not allowed to do, and the rule that would allow it. */
  readonly denials: readonly string[];
}

/** A must-not after a look at it: null when it holds. */
export interface MustNotFinding {
  readonly mustNot: string;
  readonly violation: string | null;
}

/** What the machine has looked at for this decision. Empty at first; `decide` asks for what it needs. */
export interface Findings {
  readonly tree?: string | null;
  /** Why that is not all of the project's files, in a few words each; left out where it is. */
  readonly treeDoubts?: readonly string[];
  readonly head?: string | null;
  readonly mustNots?: readonly MustNotFinding[];
  readonly checks?: ReadonlyMap<string, Evidence>;
  /** Checks that go on in the background because they would outlast the host's patience. */
  readonly outlasting?: readonly string[];
  /** What was shown beyond the checks. */
  readonly proven?: Proven;
}

/** Adds what was gathered. Checks and proofs may change what they run in, so must-nots are looked at again after them. */
export function mergeFindings(before: Findings, now: Findings): Findings {
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
  | { readonly type: "proofs" };

/** What was found where the caller's loop should be. */
export type Subject =
  | { readonly type: "none" }
  | { readonly type: "corrupt"; readonly why: string }
  /** `damage`: a file of the loop cannot be understood, and says why. */
  | { readonly type: "loop"; readonly loop: Loop; readonly damage?: string };

export interface StopFacts {
  readonly now: number;
  /** LOOP_DISABLE=1 or IDLE_LOOP_DISABLE=1. */
  readonly disabled: boolean;
  /** null: the host named no session, or none that can be believed. */
  readonly session: SessionId | null;
  readonly trusted: boolean;
  readonly stop: StopKind;
  /** The host says that this stop follows a hold of ours, without a prompt in between. */
  readonly continuesHold: boolean;
  readonly personPresent: boolean;
  readonly said: Said;
  /** Tool calls since the previous stop; null where the host does not tell. */
  readonly toolUses: number | null;
  readonly edits: readonly FileEdit[];
  /** After so many holds without a tool call in between the host overrides them; null where it never does. */
  readonly holdCap: number | null;
  /** What the transcript says was spent since it was last read; null where nothing can be read. */
  readonly spent: Spent | null;
  readonly findings: Findings;
  /** Absent in a host, which ends no turns but asks about them. */
  readonly turn?: DrivenTurn;
}

/** What a host says about a stop; the rest is looked up. */
export type StopRequest = Omit<StopFacts, "now" | "disabled" | "trusted" | "spent" | "findings" | "turn">;
