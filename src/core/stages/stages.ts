import type { Check } from "../loop/criterion.ts";
import type { SessionId } from "../loop/id.ts";
import type { Loop, Shape } from "../loop/loop.ts";
import { areAllSettled } from "../plan/workflow.ts";

export type Stage = "intent" | "shape" | "decompose" | "executing" | "review" | "complete";

export const KINDS = ["build", "debug", "refactor"] as const;
/** What kind of work a workflow does; the gate has a checklist for each. */
export type Kind = (typeof KINDS)[number];

/** What a person decided about judgement when the workflow was opened. */
export interface JudgementPolicy {
  /** Whether models are asked at all. Without them, each stage uses the spec's own lists and the project's tools. */
  readonly asks: boolean;
  /** How many thorough reviews there may be. */
  readonly rounds: number;
}

/** What a person said about the way to the plan when the workflow was opened. */
export interface StageOptions {
  /** How much it asks; null: the fit decides. */
  readonly shape: Shape | null;
  /** null: the words of the spec decide. */
  readonly kind: Kind | null;
  /** How many tasks at once. */
  readonly parallel: number;
  /** How long a check may take that was found on the way. */
  readonly checkTimeoutMs: number;
  /** Globs of command lines: what a model wrote becomes a check if it matches one. */
  readonly allowedChecks: readonly string[];
  /** Whether a test that a model wrote, and that fails now, is held out without a question. */
  readonly keepsTests: boolean;
}

/** A model's own scores of a spec, each with the words of the spec that earn it. They decide nothing. */
export interface ModelScore {
  readonly dimension: string;
  readonly points: number;
  readonly quote: string;
}

/** What was understood, for a person to confirm. */
export interface IntentSummary {
  readonly deliverable: string;
  readonly firstFact: string;
  readonly hardestConstraint: string;
}

export interface Intent {
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
  readonly modelScores: readonly ModelScore[];
  readonly echo: IntentSummary | null;
}

export interface ShapedCriterion {
  readonly name: string;
  /** null: nothing shows it yet. */
  readonly check: Check | null;
  /** A command that a model wrote for it, or that the spec names, and that nobody has approved; shown, never run. */
  readonly proposed: string | null;
}

/** What was agreed before the work: what to look at, what has to hold, and how it is shown. */
export interface WorkShape {
  readonly kind: Kind;
  /** What the work touches: `api`, `data`, `security` … */
  readonly aspects: readonly string[];
  readonly criteria: readonly ShapedCriterion[];
  readonly decisions: readonly string[];
}

/** What the next attempt at a task does differently. */
export interface RetryAdvice {
  readonly task: string;
  /** The number of the attempt that failed. */
  readonly after: number;
  readonly perspectives: readonly string[];
  readonly approach: string;
  /** Of the approach; two counsels for one task differ in it. */
  readonly digest: string;
  /** null: no model was asked, and it only says what failed. */
  readonly agent: string | null;
}

/** One reviewer of a panel. */
export interface Voice {
  readonly perspective: string;
  /** Its own; null: it gave no usable answer. */
  readonly score: number | null;
  readonly issues: number;
  /** Why there was no usable answer. */
  readonly failure: string | null;
}

/** What a reviewer held against a line that isn't in the diff. It counts for nothing. */
export interface UnquotedFinding {
  readonly file: string;
  readonly quote: string;
  readonly problem: string;
}

/** What a review came to. */
export interface Review {
  readonly perspectives: readonly string[];
  /** Up to 10, the lowest of the panel's; null when there was no usable answer. */
  readonly score: number | null;
  /** Who answered on their own; left out where one reviewer answered for all. */
  readonly panel?: readonly Voice[] | undefined;
  readonly findings: readonly Finding[];
  /** How many findings quoted nothing of the diff. */
  readonly dropped: number;
  /** Some of those; left out where nothing was dropped. */
  readonly unquoted?: readonly UnquotedFinding[] | undefined;
  /** Changed files that the reviewer wasn't shown, or not as a whole. */
  readonly unseen: readonly string[];
  readonly agent: string | null;
  /** Why there was no usable answer; null when there was one. */
  readonly failure: string | null;
}

export interface WaveReview extends Review {
  readonly wave: number;
}

export interface ThoroughReview extends Review {
  /** From 1. */
  readonly round: number;
  /** The commit that was reviewed; null without git. */
  readonly commit: string | null;
  readonly resolved: readonly {
    readonly finding: string;
    readonly how: Resolution;
    readonly task: string | null;
  }[];
}

/** Below this, a reviewer finds the work too far from what was asked to call it shown, whatever the checks say. */
const LEAST_SCORE = 7;

export function isScoredLow({ score }: Pick<Review, "score">): boolean {
  return score !== null && score < LEAST_SCORE;
}

export function lowScoreText({ score, round }: Pick<ThoroughReview, "score" | "round">): string {
  return `review ${round} gave ${score ?? 0}/10, and below ${LEAST_SCORE} somebody has to look`;
}

/** One line of the gate's checklist. */
export interface GateItem {
  readonly name: string;
  /** `open` keeps the gate shut. */
  readonly state: "met" | "weak" | "open";
  readonly detail: string | null;
}

/** A changed line that could be broken without any check noticing. */
export interface Survivor {
  readonly file: string;
  readonly line: number;
  readonly change: string;
}

/** The item of a gate that says whether passing checks still mean what they meant when the plan began. */
export const SAME_MEANING = "checks mean what they meant";

/** The item of a gate that says whether each task is verified. */
export const EVERY_TASK = "every task has evidence";

export interface GateVerdict {
  /** From 1. */
  readonly round: number;
  /** The commit that was judged; null without git. */
  readonly commit: string | null;
  /** How many tasks the plan had. */
  readonly tasks: number;
  readonly passed: boolean;
  readonly items: readonly GateItem[];
  readonly survivors: readonly Survivor[];
}

/** A question to a model that was begun. Until it is closed, it may cost money. */
export interface OpenQuestion {
  /** Also the name of a folder. */
  readonly id: string;
  /** Who asked. */
  readonly run: SessionId;
  readonly purpose: string;
  readonly agent: string;
  readonly model: string | null;
}

/** What a workflow knows beside its plan. */
export interface Stages {
  readonly policy: JudgementPolicy;
  /** How many thorough reviews there may be by now: a person may have given it more. */
  readonly roundLimit: number;
  /** null: it was opened with its plan. */
  readonly wishes: StageOptions | null;
  readonly intent: Intent | null;
  readonly shape: WorkShape | null;
  readonly questions: readonly OpenQuestion[];
  readonly counsels: readonly RetryAdvice[];
  readonly waveReviews: readonly WaveReview[];
  readonly reviews: readonly ThoroughReview[];
  readonly gates: readonly GateVerdict[];
}

/** null: a plain loop has no stages. */
export function stageOf(loop: Loop): Stage | null {
  const { stages, workflow } = loop;
  if (loop.frames[0].exitRule !== "tasks") return null;
  if (loop.phase === "completed") return "complete";
  if (workflow === null) {
    if (stages === null) return "executing";
    if (stages.intent === null) return "intent";
    return stages.shape === null ? "shape" : "decompose";
  }
  const isWorkedOff = stages !== null && areAllSettled(workflow);
  return isWorkedOff ? "review" : "executing";
}

/** Whether there was somebody to ask; where nobody was, there was no review, and nothing to doubt. */
export function wasAsked({ agent }: Pick<Review, "agent">): boolean {
  return agent !== null;
}

/** Blockers of a review that nobody has settled. */
export function blockersLeft({ findings, resolved }: ThoroughReview): readonly Finding[] {
  const settled = new Set(resolved.map(({ finding }) => finding));
  return blockersIn(findings).filter(({ id }) => !settled.has(id));
}

export const SEVERITIES = ["BLOCKER", "WARNING", "SUGGESTION"] as const;
type Severity = (typeof SEVERITIES)[number];

/** What a reviewer holds against the work. It quotes a line of the real diff, or it isn't one. */
export interface Finding {
  /** Such as `F-2`; unique within its review. */
  readonly id: string;
  readonly severity: Severity;
  /** Who found it, by the point of view: `correctness`, `security` … */
  readonly perspective: string;
  readonly file: string;
  /** In the file as it is now; null for a line that was removed. */
  readonly line: number | null;
  readonly quote: string;
  readonly problem: string;
  /** The criterion or must-not that it breaks; a BLOCKER has one. */
  readonly breaks: string | null;
  /** A command that a model wrote and that fails while the problem is there; never run without approval. */
  readonly command: string | null;
  /** The command was allowed to run, and failed on the reviewed files. */
  readonly failsNow: boolean;
  /** What the reviewer proposes; null where it proposes nothing, or what it proposes would violate a must-not. */
  readonly fix: string | null;
  /** The must-not that the proposed fix would violate; null when it violates none. */
  readonly refused: string | null;
}

/**
 * How a finding was settled. `approved`: its risk was accepted. `task`, `discussed`: it became one, `discussed` with a person's
 * note. `refused`: its fix would violate a must-not.
 */
export const RESOLUTIONS = ["approved", "task", "discussed", "skipped", "refused"] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

export function blockersIn(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ severity }) => severity === "BLOCKER");
}
