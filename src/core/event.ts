import type { Check, Evidence, VerificationType } from "./criterion.ts";
import type { LoopId, SessionId } from "./id.ts";
import type { ChangedFiles, Proof, ProofMode } from "./proof.ts";
import type {
  AttemptOf,
  Binding,
  Breakers,
  Confidence,
  ExitRule,
  Limits,
  Mode,
  MustNot,
  Origin,
  PauseReason,
  ProcessMark,
  Shape,
  Task,
  TokenCounts,
  TreeMark,
} from "./loop.ts";
import type { WorkflowEvent } from "./plan/workflow-event.ts";
import { WORKFLOW_EVENT_VERSION } from "./plan/workflow-event.ts";
import type { SpecScore } from "../rubric/score.ts";

/** Who did it: a person at a terminal, the agent, or the machine's own rules. */
export type Actor = "person" | "agent" | "machine";

/** Where a claim was read. */
export type ClaimSource = "command" | "status-block" | "state-file" | "marker";

/** How a turn ended: by itself, or in trouble of a kind. */
export const TURN_OUTCOMES = [
  "finished",
  "usage-limit",
  "transient",
  "blocking",
  "budget",
  "lost-conversation",
  "interrupted",
  "unknown",
] as const;
type TurnOutcome = (typeof TURN_OUTCOMES)[number];

/** What is asked of one level of a loop, before anything happened. */
export interface OpenedGoal {
  readonly spec: string;
  readonly exitRule: ExitRule;
  readonly mode: Mode;
  readonly iterationLimit: number | null;
  readonly criteria: readonly { readonly name: string; readonly check: Check | null }[];
  readonly steps: readonly string[];
}

/** Facts, in the past tense. A stored name is for ever; `EVENT_VERSION` says which form a name has now. */
export type LoopEvent =
  | {
      readonly type: "loop.opened";
      readonly id: LoopId;
      readonly by: Actor;
      readonly origin: Origin;
      /** Below the project's root, with slashes: where the agent and the checks work. Empty for the root. */
      readonly folder: string;
      readonly goal: OpenedGoal;
      readonly score: SpecScore;
      readonly shape: Shape;
      readonly limits: Limits;
      readonly mustNots: readonly MustNot[];
      readonly protects: readonly string[];
      readonly protectedDigest: string | null;
      readonly redFirst: boolean;
      readonly proof: ProofMode;
      /** Globs of tests and definitions that may change without anybody's approval. */
      readonly mayChange: readonly string[];
      readonly start: TreeMark;
      readonly binding: Binding | null;
      /** The loop is one attempt at a task of a workflow. */
      readonly attemptOf: AttemptOf | null;
    }
  /** A person approved, on this machine, a loop that somebody else may have written: what it says was shown counts no more. */
  | { readonly type: "loop.trusted" }
  | { readonly type: "session.bound"; readonly binding: Binding }
  | { readonly type: "frame.pushed"; readonly goal: OpenedGoal; readonly by: Actor }
  | { readonly type: "frame.popped"; readonly outcome: "satisfied" | "stuck" | "iterations" }
  | { readonly type: "turn.started" }
  | { readonly type: "wait.began"; readonly what: string }
  | {
      readonly type: "criterion.added";
      readonly name: string;
      readonly check: Check | null;
      readonly by: Actor;
    }
  | {
      readonly type: "criterion.amended";
      readonly name: string;
      readonly check: Check | null;
      readonly by: Actor;
    }
  | { readonly type: "criterion.removed"; readonly name: string; readonly by: Actor }
  | {
      readonly type: "criterion.attested";
      readonly name: string;
      readonly by: VerificationType;
      readonly actor: Actor;
      readonly note: string | null;
      readonly source: ClaimSource;
    }
  | { readonly type: "criterion.disclaimed"; readonly name: string; readonly source: ClaimSource }
  | {
      readonly type: "check.ran";
      readonly name: string;
      readonly evidence: Evidence;
      /** Run at the opening, to know what was true before the work began. */
      readonly atStart: boolean;
    }
  /** Shown beyond a check; `name` is its criterion, or null for a proof of the whole. */
  | { readonly type: "proof.shown"; readonly name: string | null; readonly proof: Proof }
  /** A person says that these tests and definitions are right as they are now. */
  | { readonly type: "opening.approved"; readonly names: readonly string[] }
  | { readonly type: "step.added"; readonly name: string }
  | { readonly type: "step.finished"; readonly name: string; readonly source: ClaimSource }
  | { readonly type: "step.reopened"; readonly name: string }
  | { readonly type: "step.removed"; readonly name: string }
  | { readonly type: "task.recorded"; readonly task: Task }
  | { readonly type: "task.dropped"; readonly id: string }
  | { readonly type: "exit.signalled"; readonly source: ClaimSource }
  | { readonly type: "exit.withdrawn"; readonly source: ClaimSource }
  | { readonly type: "protection.approved"; readonly digest: string }
  /** `turn`: what this turn that was driven from outside cost in all. Neither dollars nor tokens: nobody told. */
  | {
      readonly type: "cost.charged";
      readonly usd: number;
      readonly tokens: number;
      readonly priced: boolean;
      readonly turn?: string;
    }
  /** How far a host's transcript has been counted; with the charge in one record, so that nothing counts twice. */
  | { readonly type: "transcript.read"; readonly cursor: string }
  /** A counter that came with a loop taken over from another hook's store. */
  | { readonly type: "iteration.adopted"; readonly iteration: number }
  | { readonly type: "breakers.counted"; readonly breakers: Breakers }
  | { readonly type: "iteration.held"; readonly iteration: number; readonly sentFailure: string | null }
  | { readonly type: "iteration.handed-back"; readonly iteration: number }
  /** A process outside the agent drives the loop from now on, under a name of its own. */
  | {
      readonly type: "run.began";
      readonly run: SessionId;
      readonly driver: string;
      readonly model: string | null;
      readonly process: ProcessMark;
    }
  /** `lastSeenAt`: it ended without a word, and somebody else found out; it was at work until then. */
  | { readonly type: "run.ended"; readonly run: SessionId; readonly lastSeenAt?: number }
  /** Written before the agent is started: whatever the turn does or costs belongs to a turn that is known. */
  | {
      readonly type: "turn.launched";
      readonly turn: string;
      readonly run: SessionId;
      readonly driver: string;
      readonly model: string | null;
      readonly iteration: number;
      readonly conversation: SessionId | null;
      readonly step: string | null;
      /** The commit that keeps the worktree as it was; null where there is none. */
      readonly checkpoint: string | null;
    }
  | { readonly type: "conversation.opened"; readonly conversation: SessionId }
  /** In one record with what was decided on it. What it cost is on record by then. */
  | {
      readonly type: "turn.ended";
      readonly turn: string;
      readonly outcome: TurnOutcome;
      readonly said: string | null;
      readonly reportedUsd: number | null;
      readonly reportedTokens: TokenCounts | null;
    }
  | { readonly type: "usage-limit.met"; readonly until: number; readonly detail: string }
  | { readonly type: "checkpoint.restored"; readonly iteration: number; readonly commit: string }
  | { readonly type: "loosening.refused"; readonly what: string }
  | {
      readonly type: "loop.paused";
      readonly reason: PauseReason;
      readonly detail: string | null;
      readonly by: Actor;
    }
  | {
      readonly type: "loop.continued";
      readonly addedUsd: number | null;
      readonly addedIterations: number | null;
      readonly addedTokens: number | null;
      readonly addedMinutes: number | null;
      readonly by: Actor;
    }
  | { readonly type: "loop.cancelled"; readonly by: Actor }
  | {
      readonly type: "loop.completed";
      readonly confidence: Confidence;
      /** What is missing to be sure, a sentence each. */
      readonly why: readonly string[];
      /** Since the opening; null where that cannot be told. */
      readonly changed: ChangedFiles | null;
    }
  | WorkflowEvent;

/** A loop that goes on with what it has. */
export const NOTHING_MORE = {
  addedUsd: null,
  addedIterations: null,
  addedTokens: null,
  addedMinutes: null,
} as const;

export type EventOf<Type extends LoopEvent["type"]> = Extract<LoopEvent, { readonly type: Type }>;

/**
 * The form of each stored event. A reader that meets a higher number says so and touches nothing; a lower one
 * is brought up by the upcasters of `journal/upcast.ts`, which has to have one for each step.
 */
export const EVENT_VERSION = {
  "loop.opened": 4,
  "loop.trusted": 1,
  "session.bound": 1,
  "frame.pushed": 2,
  "frame.popped": 1,
  "turn.started": 1,
  "wait.began": 1,
  "criterion.added": 2,
  "criterion.amended": 2,
  "criterion.removed": 1,
  "criterion.attested": 2,
  "criterion.disclaimed": 1,
  "check.ran": 1,
  "proof.shown": 1,
  "opening.approved": 1,
  "step.added": 1,
  "step.finished": 1,
  "step.reopened": 1,
  "step.removed": 1,
  "task.recorded": 1,
  "task.dropped": 1,
  "exit.signalled": 1,
  "exit.withdrawn": 1,
  "protection.approved": 1,
  "cost.charged": 1,
  "transcript.read": 1,
  "iteration.adopted": 1,
  "breakers.counted": 1,
  "iteration.held": 1,
  "iteration.handed-back": 1,
  "run.began": 1,
  "run.ended": 1,
  "turn.launched": 1,
  "conversation.opened": 1,
  "turn.ended": 1,
  "usage-limit.met": 1,
  "checkpoint.restored": 1,
  "loosening.refused": 1,
  "loop.paused": 1,
  "loop.continued": 2,
  "loop.cancelled": 1,
  "loop.completed": 2,
  ...WORKFLOW_EVENT_VERSION,
} as const satisfies { readonly [Type in LoopEvent["type"]]: number };
