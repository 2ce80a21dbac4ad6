import type { Check, Evidence, VerificationType } from "../loop/criterion.ts";
import type { SessionId } from "../loop/id.ts";
import type { ChangedFiles, Proof } from "../loop/proof.ts";
import type {
  Binding,
  Breakers,
  Confidence,
  ExitRule,
  Mode,
  Opening,
  PauseReason,
  ProcessMark,
  Shape,
  Task,
  TokenCounts,
} from "../loop/loop.ts";
import { WORKFLOW_EVENT_VERSION, type WorkflowEvent } from "../plan/workflow-event.ts";
import type { MadeCommit, WantedCommit } from "../loop/commit.ts";
import { STAGE_EVENT_VERSION, type StageEvent } from "../stages/stage-event.ts";

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

/** What one level of a loop asks for, before anything happened. */
export interface OpenedGoal {
  readonly spec: string;
  readonly exitRule: ExitRule;
  readonly mode: Mode;
  readonly iterationLimit: number | null;
  readonly criteria: readonly { readonly name: string; readonly check: Check | null }[];
  readonly steps: readonly string[];
}

/** Facts, in the past tense. A stored name never changes; `EVENT_VERSION` gives the current form of each. */
export type LoopEvent =
  | ({ readonly type: "loop.opened"; readonly by: Actor; readonly goal: OpenedGoal } & Opening)
  /** A person approved, on this machine, a loop that somebody else may have written. Its earlier evidence no longer counts. */
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
      /** Run at the opening, to know what was true before the work. */
      readonly atStart: boolean;
    }
  /** A proof beyond a check. `name` is its criterion, or null for the whole loop. */
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
  /** What the agent would do next; null: it no longer says. */
  | { readonly type: "next.said"; readonly text: string | null }
  /** A person's words for the agents of the loop, or for those of one task of its plan. */
  | { readonly type: "words.told"; readonly text: string; readonly task: string | null }
  /** In one record with the turn or the hold that passes on the first so many; null: a hold, or where they were typed. */
  | { readonly type: "words.heard"; readonly count: number; readonly turn: string | null }
  | { readonly type: "protection.approved"; readonly digest: string }
  /**
   * `turn`: the driven turn that this is the full cost of. `turnUsd`: the dearest turn in it, where it is the cost of several. Neither
   * dollars nor tokens: not reported.
   */
  | {
      readonly type: "cost.charged";
      readonly usd: number;
      readonly tokens: number;
      readonly priced: boolean;
      readonly turn?: string;
      readonly turnUsd?: number;
    }
  /** How far a host's transcript has been counted; with the charge in one record, so that nothing counts twice. */
  | { readonly type: "transcript.read"; readonly cursor: string }
  /** A counter that came with a loop adopted from another hook's store. */
  | { readonly type: "iteration.adopted"; readonly iteration: number }
  | { readonly type: "breakers.counted"; readonly breakers: Breakers }
  | { readonly type: "iteration.held"; readonly iteration: number; readonly sentFailure: string | null }
  | { readonly type: "iteration.handed-back"; readonly iteration: number }
  /** From now on, a process outside the agent drives the loop, under its own name. */
  | {
      readonly type: "run.began";
      readonly run: SessionId;
      readonly driver: string;
      readonly model: string | null;
      readonly process: ProcessMark;
    }
  /** `lastSeenAt`: the run ended without recording it, and another process noticed; it worked until then. */
  | { readonly type: "run.ended"; readonly run: SessionId; readonly lastSeenAt?: number }
  /** Written before the agent starts, so whatever the turn does or costs belongs to a known turn. */
  | {
      readonly type: "turn.launched";
      readonly turn: string;
      readonly run: SessionId;
      readonly driver: string;
      readonly model: string | null;
      readonly iteration: number;
      readonly conversation: SessionId | null;
      readonly step: string | null;
      /** The commit that keeps the worktree as it was; null if there is none. */
      readonly checkpoint: string | null;
    }
  | { readonly type: "conversation.opened"; readonly conversation: SessionId }
  /** In one record with the decision about it. Its cost is already recorded. */
  | {
      readonly type: "turn.ended";
      readonly turn: string;
      readonly outcome: TurnOutcome;
      readonly said: string | null;
      readonly reportedUsd: number | null;
      readonly reportedTokens: TokenCounts | null;
    }
  /** What the agent was not allowed to do in a driven turn, each as the flag that would allow it; it was told, and went on. */
  | { readonly type: "permission.denied"; readonly denials: readonly string[] }
  | { readonly type: "usage-limit.met"; readonly until: number; readonly detail: string }
  | { readonly type: "checkpoint.restored"; readonly iteration: number; readonly commit: string }
  /** With the opening: the work of a plain loop becomes a commit when it is done. */
  | ({ readonly type: "commit.wanted" } & WantedCommit)
  /** After the end: what became of that. */
  | ({ readonly type: "work.committed" } & MadeCommit)
  /** The user's branch stands where it stood before it. */
  | { readonly type: "commit.undone" }
  /** A person wants to be asked more or less often from here on. */
  | { readonly type: "shape.changed"; readonly shape: Shape; readonly by: Actor }
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
      /** What is missing for certainty, one sentence each. */
      readonly why: readonly string[];
      /** Since the opening; null if unknown. */
      readonly changed: ChangedFiles | null;
    }
  | WorkflowEvent
  | StageEvent;

/** A loop that resumes with what it has left. */
export const NOTHING_MORE = {
  addedUsd: null,
  addedIterations: null,
  addedTokens: null,
  addedMinutes: null,
} as const;

export type EventOf<Type extends LoopEvent["type"]> = Extract<LoopEvent, { readonly type: Type }>;

/**
 * The form of each stored event. A reader that finds a higher number reports it and changes nothing. The upcasters in
 * `journal/upcast.ts`, one for each step, convert lower numbers.
 */
export const EVENT_VERSION = {
  "loop.opened": 6,
  "loop.trusted": 1,
  "session.bound": 1,
  "frame.pushed": 3,
  "frame.popped": 1,
  "turn.started": 1,
  "wait.began": 1,
  "criterion.added": 3,
  "criterion.amended": 3,
  "criterion.removed": 1,
  "criterion.attested": 2,
  "criterion.disclaimed": 1,
  "check.ran": 1,
  "proof.shown": 3,
  "opening.approved": 1,
  "step.added": 1,
  "step.finished": 1,
  "step.reopened": 1,
  "step.removed": 1,
  "task.recorded": 1,
  "task.dropped": 1,
  "exit.signalled": 1,
  "exit.withdrawn": 1,
  "next.said": 1,
  "words.told": 1,
  "words.heard": 1,
  "protection.approved": 1,
  "cost.charged": 2,
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
  "permission.denied": 1,
  "usage-limit.met": 1,
  "checkpoint.restored": 1,
  "commit.wanted": 1,
  "work.committed": 1,
  "commit.undone": 1,
  "shape.changed": 1,
  "loosening.refused": 1,
  "loop.paused": 1,
  "loop.continued": 2,
  "loop.cancelled": 1,
  "loop.completed": 2,
  ...WORKFLOW_EVENT_VERSION,
  ...STAGE_EVENT_VERSION,
} as const satisfies { readonly [Type in LoopEvent["type"]]: number };

/** An event of a loop, with its record and time. */
export interface JournalEntry {
  readonly seq: number;
  readonly at: number;
  readonly event: LoopEvent;
}

/** An event that the state cannot have produced. A journal with one is corrupt and is never repaired. */
export class ImpossibleEvent extends Error {
  override readonly name = "ImpossibleEvent";
}
