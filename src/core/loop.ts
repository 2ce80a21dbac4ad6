import type { Criterion, Check } from "./criterion.ts";
import type { LoopId, SessionId } from "./id.ts";
import type { ChangedFiles, Proof, ProofMode } from "./proof.ts";
import type { Workflow } from "./plan/workflow.ts";
import { isSpent } from "./plan/workflow.ts";
import type { SpecScore } from "../rubric/score.ts";

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
type TaskStatus = (typeof TASK_STATUSES)[number];

export interface Task {
  readonly id: string;
  readonly subject: string;
  readonly status: TaskStatus;
  readonly blockedBy: readonly string[];
  readonly wave: number | null;
  readonly attempts: number;
}

/** What must stay true all along: paths that stay as they were, or a command that keeps passing. */
export type MustNot =
  | { readonly kind: "path"; readonly glob: string }
  | { readonly kind: "run"; readonly check: Check };

/** A limit of null is none; a breaker of 0 is off. */
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

/** What one level of a loop is after, and how it ends. */
interface Goal {
  readonly spec: string;
  readonly exitRule: ExitRule;
  readonly mode: Mode;
  readonly iterationLimit: number | null;
  readonly criteria: readonly Criterion[];
  readonly steps: readonly Step[];
}

/** What an iteration came to: the agent's words for it, and the first check that failed after it. */
export interface Tried {
  readonly iteration: number;
  readonly said: string | null;
  readonly failure: string | null;
}

/** One level of a nested loop. */
export interface Frame extends Goal {
  readonly iteration: number;
  /** The last iteration for which a turn was driven from outside. */
  readonly launched: number;
  /** The last iteration whose turn was driven from outside and came to a decision. */
  readonly judged: number;
  /** The last few iterations, oldest first. */
  readonly tried: readonly Tried[];
  readonly exitSignal: boolean;
  readonly tasks: readonly Task[];
  /** What was shown of the whole at the last stop: tests that the agent has never seen. */
  readonly proofs: readonly Proof[];
  readonly breakers: Breakers;
}

interface Spend {
  /** What is held against the budget; at the dearest known price where `priced` is false. */
  readonly usd: number;
  readonly tokens: number;
  readonly priced: boolean;
  /** Every agent has told what it used; else it is more than this. */
  readonly told: boolean;
}

/** How a figure that is not exact is marked. */
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

/** Tells a process from every other one, also from later ones with its id and from before a restart of the machine. */
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

/** An agent's conversation, and what it last said that this had cost and used in all. */
interface Conversation {
  readonly id: SessionId;
  readonly reportedUsd: number | null;
  readonly reportedTokens: TokenCounts | null;
}

/** A turn that was begun. Until its end is recorded it may have cost something, and may still be running. */
export interface LaunchedTurn {
  /** Such as `3-1`, of iteration and attempt; names a folder. */
  readonly id: string;
  readonly iteration: number;
  /** The conversation that it goes on with; null for a new one. */
  readonly conversation: SessionId | null;
  /** Whose turn it is: a later run may have another agent and another model, and has not been told what this one was. */
  readonly run: SessionId;
  readonly driver: string;
  readonly model: string | null;
  readonly reportedUsd: number | null;
  readonly reportedTokens: TokenCounts | null;
  /** The loop's budget when it began, which an agent that caps itself was told. */
  readonly budgetUsd: number | null;
  /** What it cost is on record. */
  readonly charged: boolean;
  /** What it did was undone, or another session has worked since: it is charged, and not judged any more. */
  readonly superseded: boolean;
}

/** How the loop is, or was last, driven from outside an agent. */
export interface Driven {
  readonly run: SessionId;
  readonly driver: string;
  readonly model: string | null;
  /** Who drives it now; null when nobody does. Believed only while that process lives. */
  readonly process: ProcessMark | null;
  readonly conversation: Conversation | null;
  readonly turn: LaunchedTurn | null;
  /** Turns of this iteration and run that ended in trouble which is worth one more try. */
  readonly retries: number;
  /** Usage limits that this iteration met, in a row. */
  readonly waits: number;
  /** A usage limit is waited out until then. */
  readonly waitsUntil: number | null;
}

/** Where the tree stood; null parts are unknown. */
export interface TreeMark {
  readonly tree: string | null;
  readonly head: string | null;
}

/** Opened here, or taken over from the store of another hook, which is then written back in its own shape. */
export const ORIGINS = ["native", "state-file", "idle-loop", "jwz", "task-list"] as const;
export type Origin = (typeof ORIGINS)[number];

/** Loops of the older idle-loop hook keep its habits: a bare hold, and letting go when an inner frame ends. */
export function hasIdleLoopHabits(loop: Loop): boolean {
  return loop.origin === "idle-loop" || loop.origin === "jwz";
}

interface LoopRecord {
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
  /** Globs of tests and definitions that may change without anybody's approval. */
  readonly mayChange: readonly string[];
  readonly start: TreeMark;
  readonly binding: Binding | null;
  /** null: a loop of its own. */
  readonly attemptOf: AttemptOf | null;
  /** The plan and what became of it; null: a plain loop. */
  readonly workflow: Workflow | null;
  /** null: never driven from outside. */
  readonly driven: Driven | null;
  /** Outermost first; the last one is at work. Never empty. */
  readonly frames: readonly [Frame, ...Frame[]];
  readonly spend: Spend;
  /** How far the host's transcript has been charged; null before anything was read. */
  readonly transcriptCursor: string | null;
  /** Digest of the failure whose output was last sent in full. */
  readonly sentFailure: string | null;
  readonly openedAt: number;
  readonly updatedAt: number;
  /** The last sign of life of the loop's own work. */
  readonly activeAt: number;
  readonly turnStartedAt: number | null;
  /** A known wait: its silence does not make the loop stale. */
  readonly waiting: boolean;
  /** Time spent active before `activeSince`. */
  readonly activeMs: number;
  /** Since when the clock runs; null while it stands: in a pause, in a wait for a limit or a person, after the end. */
  readonly activeSince: number | null;
}

export type Loop = LoopRecord &
  (
    | { readonly phase: "active" }
    | { readonly phase: "paused"; readonly reason: PauseReason; readonly detail: string | null }
    | {
        readonly phase: "completed";
        readonly confidence: Confidence;
        /** What is missing to be sure, a sentence each. */
        readonly why: readonly string[];
        readonly changed: ChangedFiles | null;
      }
    | { readonly phase: "cancelled" }
  );

export function topFrame(loop: Loop): Frame {
  return loop.frames[loop.frames.length - 1] ?? loop.frames[0];
}

/** The iteration that the next turn driven from outside belongs to: one that was cut off is begun again. */
export function nextIteration({ iteration, judged }: Frame): number {
  return iteration === 0 || iteration === judged ? iteration + 1 : iteration;
}

/** The last iteration that was begun: a hold counts the next one, which a pause may have kept from beginning. */
export function begunIteration(loop: Loop): number {
  const { iteration, launched } = topFrame(loop);
  return isDriven(loop) && loop.phase !== "active" && iteration === launched + 1 ? launched : iteration;
}

/** The loop was last driven from outside, and no session has taken it since. */
export function isDriven(loop: Loop): loop is Loop & { readonly driven: Driven } {
  return loop.driven !== null && loop.driven.run === loop.binding?.session;
}

/** Whether this session, or this run, is the one that the loop belongs to. */
export function isBoundTo(loop: Loop, session: SessionId | null): boolean {
  return loop.binding !== null && loop.binding.session === session;
}

/** Active and ours: the one question before anything is done for a loop. */
export function isActiveFor(loop: Loop, session: SessionId): boolean {
  return loop.phase === "active" && isBoundTo(loop, session);
}

export function isEnded(loop: Loop): boolean {
  return loop.phase === "completed" || loop.phase === "cancelled";
}

/** The limits that a loop has used up, which going on would only run into again. */
export type UsedUp = "budget" | "max-tokens" | "max-minutes" | "iterations";

export function usedUp(loop: Loop, now: number): readonly UsedUp[] {
  const { budgetUsd, tokens, minutes } = loop.limits;
  const reached = (limit: number | null, value: number): boolean => limit !== null && value >= limit;
  return [
    ...(reached(budgetUsd, loop.spend.usd) ? (["budget"] as const) : []),
    ...(reached(tokens, loop.spend.tokens) ? (["max-tokens"] as const) : []),
    ...(reached(minutes, elapsedMs(loop, now) / 60_000) ? (["max-minutes"] as const) : []),
    ...(areIterationsUsedUp(loop) ? (["iterations"] as const) : []),
  ];
}

/**
 * A driven iteration that was cut off may be begun again; any other one is used up when it is reached. In a workflow the
 * limit is that of each task's attempts.
 */
function areIterationsUsedUp(loop: Loop): boolean {
  const { workflow } = loop;
  if (workflow !== null) return workflow.givenUp.some(({ task }) => isSpent(workflow, task));
  const frame = topFrame(loop);
  if (frame.iterationLimit === null) return false;
  const next = isDriven(loop) ? nextIteration(frame) : frame.iteration + 1;
  return next > frame.iterationLimit;
}

/** How many iterations an inner frame may have at most: what the one around it has left. null: as many as it likes. */
export function iterationsLeft({ iteration, iterationLimit }: Frame): number | null {
  return iterationLimit === null ? null : Math.max(0, iterationLimit - iteration);
}

/** Milliseconds the loop has been at work; pauses, and waits for a limit or a person, are left out. */
export function elapsedMs({ activeMs, activeSince }: Loop, now: number): number {
  return activeMs + (activeSince === null ? 0 : Math.max(0, now - activeSince));
}

export function describeMustNot(mustNot: MustNot, describeCheck: (check: Check) => string): string {
  return mustNot.kind === "path" ? `path:${mustNot.glob}` : `run:${describeCheck(mustNot.check)}`;
}
