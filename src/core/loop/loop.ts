import { describeCheck, type Criterion, type Check } from "./criterion.ts";
import type { Actor } from "../events/event.ts";
import type { LoopId, SessionId } from "./id.ts";
import type { ChangedFiles, Proof, ProofMode } from "./proof.ts";
import type { Workflow } from "../plan/workflow.ts";
import type { Recall } from "./recall.ts";
import type { Words } from "./words.ts";
import type { CommitOfLoop } from "./commit.ts";
import type { AskedOf } from "../stages/asking.ts";
import type { Stages } from "../stages/stages.ts";
import type { SpecScore } from "../spec/score.ts";

export const EXIT_RULES = ["criteria", "marker", "tasks", "signal"] as const;
export type ExitRule = (typeof EXIT_RULES)[number];

export const MODES = ["loop", "issue", "grind"] as const;
export type Mode = (typeof MODES)[number];

export const SHAPES = ["intent", "blocked", "colleague", "tool-review", "tool"] as const;
export type Shape = (typeof SHAPES)[number];

export const PAUSE_REASONS = [
  "iterations",
  "budget",
  "stuck",
  "same-error",
  "thrashing",
  "no-progress",
  "stale",
  "rate-limit",
  "blocked",
  "must-not",
  "unknown-error",
  "user",
] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

interface Step {
  readonly name: string;
  readonly done: boolean;
}

export const TASK_STATUSES = ["pending", "in_progress", "completed"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export interface Task {
  readonly id: string;
  readonly subject: string;
  readonly status: TaskStatus;
  readonly blockedBy: readonly string[];
  readonly wave: number | null;
  readonly attempts: number;
}

/** What must stay true throughout: unchanged paths, or a passing command. */
export type MustNot =
  | { readonly kind: "path"; readonly glob: string }
  | { readonly kind: "run"; readonly check: Check };

/** A null limit means no limit; a breaker of 0 is off. */
export interface Limits {
  readonly budgetUsd: number | null;
  readonly tokens: number | null;
  readonly minutes: number | null;
  readonly stuck: number;
  readonly sameError: number;
  readonly sameFile: number;
  readonly noProgress: number;
  readonly ttlMs: number;
}

/** How often in a row the same thing was seen. Kept by the machine; a model never writes them. */
export interface Breakers {
  readonly stuck: { readonly lastUnmet: string | null; readonly count: number };
  readonly sameError: { readonly signature: string | null; readonly count: number };
  readonly noProgress: { readonly fingerprint: string | null; readonly count: number };
}

export const CLOSED_BREAKERS: Breakers = {
  stuck: { lastUnmet: null, count: 0 },
  sameError: { signature: null, count: 0 },
  noProgress: { fingerprint: null, count: 0 },
};

/** The goal of one level of a loop, and how it ends. */
interface Goal {
  readonly spec: string;
  readonly exitRule: ExitRule;
  readonly mode: Mode;
  readonly iterationLimit: number | null;
  readonly criteria: readonly Criterion[];
  readonly steps: readonly Step[];
}

/** The result of an iteration: the agent's words, and the first check that failed after it. */
export interface Tried {
  readonly iteration: number;
  readonly said: string | null;
  readonly failure: string | null;
}

/** One level of a nested loop. */
export interface Frame extends Goal {
  readonly iteration: number;
  /** The last iteration with a driven turn. */
  readonly launched: number;
  /** The last iteration whose driven turn reached a decision. */
  readonly judged: number;
  /** The last few iterations, oldest first. */
  readonly tried: readonly Tried[];
  readonly exitSignal: boolean;
  readonly tasks: readonly Task[];
  /** Proofs of the whole at the last stop: tests the agent has never seen. */
  readonly proofs: readonly Proof[];
  readonly breakers: Breakers;
}

interface Spend {
  /** What counts against the budget; at the highest known price if `priced` is false. */
  readonly usd: number;
  readonly tokens: number;
  readonly priced: boolean;
  /** Whether every agent reported its usage; if not, the real cost is higher. */
  readonly told: boolean;
}

/** The mark of a figure that isn't exact. */
export function costMark({ priced, told }: Spend): "" | "at most " | "at least " {
  if (!told) return "at least ";
  return priced ? "" : "at most ";
}

/** How sure a completion is: all evidence enough, some of it weak, or nothing shown at all. */
export type Confidence = "verified" | "weak" | "unverified";

export interface Binding {
  readonly session: SessionId;
  readonly host: string;
}

/** Which attempt at which task of which workflow a loop is. */
export interface AttemptOf {
  readonly loop: LoopId;
  readonly task: string;
  readonly number: number;
}

/** Identifies a process, even among later processes with the same id and across reboots. */
export interface ProcessMark {
  readonly pid: number;
  readonly startedAt: string;
  readonly boot: string;
}

export interface TokenCounts {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** An agent's conversation, with the totals it last reported. */
interface Conversation {
  readonly id: SessionId;
  readonly reportedUsd: number | null;
  readonly reportedTokens: TokenCounts | null;
}

/** A turn in progress. Until its end is recorded, it may cost money and may still be running. */
export interface LaunchedTurn {
  /** Iteration and attempt, such as `3-1`; also the name of a folder. */
  readonly id: string;
  readonly iteration: number;
  /** The conversation it continues; null for a new one. */
  readonly conversation: SessionId | null;
  /** The agent of this turn: a later run may use another agent and model, and needs to know this one. */
  readonly run: SessionId;
  readonly driver: string;
  readonly model: string | null;
  readonly reportedUsd: number | null;
  readonly reportedTokens: TokenCounts | null;
  /** The loop's budget when it began, passed to agents that cap themselves. */
  readonly budgetUsd: number | null;
  /** Its cost is recorded. */
  readonly charged: boolean;
  /** It was undone, or another session has worked since: it is charged but no longer judged. */
  readonly superseded: boolean;
}

/** How a run drives the loop, or drove it last. */
export interface Driven {
  readonly run: SessionId;
  readonly driver: string;
  readonly model: string | null;
  /** The process that drives it now; null when none does. Counts only while that process lives. */
  readonly process: ProcessMark | null;
  readonly conversation: Conversation | null;
  readonly turn: LaunchedTurn | null;
  /** Turns of this iteration and run that ended in trouble worth a retry. */
  readonly retries: number;
  /** Usage limits in a row that this iteration hit. */
  readonly waits: number;
  /** A usage limit is waited out until then. */
  readonly waitsUntil: number | null;
}

/** The state of the tree; null parts are unknown. */
export interface TreeMark {
  readonly tree: string | null;
  readonly head: string | null;
}

/** Opened here, or adopted from another hook's store, which is then written back in its own format. */
export const ORIGINS = ["native", "state-file", "idle-loop", "jwz", "task-list"] as const;
export type Origin = (typeof ORIGINS)[number];

/** Loops of the older idle-loop hook keep its behaviour: a bare hold, and letting go when an inner frame ends. */
export function hasIdleLoopHabits(loop: Loop): boolean {
  return loop.origin === "idle-loop" || loop.origin === "jwz";
}

/** What a loop is opened with. */
export interface Opening {
  readonly id: LoopId;
  readonly origin: Origin;
  /** Below the project's root, with slashes: where the agent and the checks work. Empty for the root. */
  readonly folder: string;
  readonly score: SpecScore;
  readonly shape: Shape;
  readonly limits: Limits;
  readonly mustNots: readonly MustNot[];
  readonly protects: readonly string[];
  /** Digest of the protected paths as a person last approved them. */
  readonly protectedDigest: string | null;
  readonly redFirst: boolean;
  readonly proof: ProofMode;
  /** How long proofs may try things out; null: as long as the checks' own time suggests. */
  readonly proofBudgetMs: number | null;
  /** Globs of tests and definitions that may change without approval. */
  readonly mayChange: readonly string[];
  readonly start: TreeMark;
  readonly binding: Binding | null;
  /** The attempt at a task of a workflow that it is; null: a loop of its own. */
  readonly attemptOf: AttemptOf | null;
}

interface LoopRecord extends Opening {
  /** The plan and what became of it; null: a plain loop. */
  readonly workflow: Workflow | null;
  /** What a workflow knows beside its plan; null: a plain loop, or a plan without reviews. */
  readonly stages: Stages | null;
  /** What was known from earlier loops; null: nobody looked. */
  readonly recall: Recall | null;
  /** null: never driven from outside. */
  readonly driven: Driven | null;
  /** Outermost first; the last one is at work. Never empty. */
  readonly frames: readonly [Frame, ...Frame[]];
  readonly spend: Spend;
  /** The dearest turn so far; 0 before any was charged. */
  readonly dearestTurnUsd: number;
  /** How far the host's transcript has been charged; null before the first read. */
  readonly transcriptCursor: string | null;
  /** What the agent said at its last stop that it would do next. */
  readonly saidNext: string | null;
  /** Of a workflow, from the first time that its agent was held or its user asked. */
  readonly asked?: AskedOf;
  /** Of a plain loop whose work becomes a commit. */
  readonly commit?: CommitOfLoop;
  /** What a person told its agents since the opening, in order. */
  readonly words: readonly Words[];
  /** Digest of the failure whose output was last sent in full; "" for none. Null: this conversation hasn't been held yet. */
  readonly sentFailure: string | null;
  /** What this run's agent was not allowed to do and went on without, each as the flag that would allow it. */
  readonly denied: readonly string[];
  readonly openedAt: number;
  readonly updatedAt: number;
  /** The last sign of life of the loop's own work. */
  readonly activeAt: number;
  readonly turnStartedAt: number | null;
  /** A known wait: its silence does not make the loop stale. */
  readonly waiting: boolean;
  /** Time spent active before `activeSince`. */
  readonly activeMs: number;
  /** When the clock started; null while it is stopped: in a pause, in a wait for a limit or a person, after the end. */
  readonly activeSince: number | null;
}

export type Loop = LoopRecord &
  (
    | { readonly phase: "active" }
    | {
        readonly phase: "paused";
        readonly reason: PauseReason;
        readonly detail: string | null;
        /** Who said so. */
        readonly pausedBy: Actor;
      }
    | {
        readonly phase: "completed";
        readonly confidence: Confidence;
        /** What is missing for certainty, one sentence each. */
        readonly why: readonly string[];
        readonly changed: ChangedFiles | null;
      }
    | { readonly phase: "cancelled" }
  );

export function topFrame(loop: Loop): Frame {
  return loop.frames[loop.frames.length - 1] ?? loop.frames[0];
}

/** The iteration of the next driven turn: one that was cut off starts again. */
export function nextIteration({ iteration, judged }: Frame): number {
  return iteration === 0 || iteration === judged ? iteration + 1 : iteration;
}

/** The last iteration that started: a hold counts the next one, which a pause may prevent. */
export function begunIteration(loop: Loop): number {
  const { iteration, launched } = topFrame(loop);
  return isDriven(loop) && loop.phase !== "active" && iteration === launched + 1 ? launched : iteration;
}

/** A run drove the loop last, and no session has taken it since. */
export function isDriven(loop: Loop): loop is Loop & { readonly driven: Driven } {
  return loop.driven !== null && loop.driven.run === loop.binding?.session;
}

/** Whether the loop belongs to this session or run. */
export function isBoundTo(loop: Loop, session: SessionId | null): boolean {
  return loop.binding !== null && loop.binding.session === session;
}

/** Active and ours: the condition for doing anything with a loop. */
export function isActiveFor(loop: Loop, session: SessionId): boolean {
  return loop.phase === "active" && isBoundTo(loop, session);
}

/** It handed back after an iteration, and nobody has said anything since. */
export function isHandedBack(loop: Loop): boolean {
  const { iteration } = topFrame(loop);
  return loop.phase === "active" && loop.waiting && loop.turnStartedAt === null && iteration > 0;
}

export function isEnded(loop: Loop): boolean {
  return loop.phase === "completed" || loop.phase === "cancelled";
}

/** Whether a loop has a plan, or is on its way to one. */
export function isWorkflow({ workflow, stages }: Pick<Loop, "workflow" | "stages">): boolean {
  return workflow !== null || stages !== null;
}

/** Milliseconds the loop has worked, without pauses and waits for a limit or a person. */
export function elapsedMs({ activeMs, activeSince }: Loop, now: number): number {
  return activeMs + (activeSince === null ? 0 : Math.max(0, now - activeSince));
}

export function describeMustNot(mustNot: MustNot): string {
  return mustNot.kind === "path" ? `path:${mustNot.glob}` : `run:${describeCheck(mustNot.check)}`;
}
