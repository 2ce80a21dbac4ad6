import type { Check } from "../criterion.ts";
import type { Loop } from "../loop.ts";
import { isDone } from "../plan/workflow.ts";
import type { Finding, Resolution } from "./finding.ts";
import { blockersIn } from "./finding.ts";

type Stage = "intent" | "shape" | "decompose" | "executing" | "review" | "complete";

export const KINDS = ["build", "debug", "refactor"] as const;
/** What kind of work a workflow does; the gate has a checklist for each. */
type Kind = (typeof KINDS)[number];

/** What a person decided about judgement when the workflow was opened. */
export interface JudgementPolicy {
  /** Whether models are asked at all. Without them, each stage uses the spec's own lists and the project's tools. */
  readonly asks: boolean;
  /** How many thorough reviews there may be. */
  readonly rounds: number;
}

/** Something learned earlier that was shown for this spec. */
export interface Recalled {
  readonly id: string;
  readonly text: string;
  /** null: nobody was asked. */
  readonly confirmed: boolean | null;
}

/** A model's own scores of a spec, each with the words of the spec that earn it. They decide nothing. */
interface ModelScore {
  readonly dimension: string;
  readonly points: number;
  readonly quote: string;
}

/** What was understood, for a person to confirm. */
export interface Echo {
  readonly deliverable: string;
  readonly firstFact: string;
  readonly hardestConstraint: string;
}

export interface Intent {
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
  readonly modelScores: readonly ModelScore[];
  readonly echo: Echo | null;
}

interface ShapedCriterion {
  readonly name: string;
  /** null: nothing shows it yet. */
  readonly check: Check | null;
  /** A command that a model wrote for it and that nobody has approved; shown, never run. */
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
export interface Counsel {
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

/** What a review came to. */
export interface Review {
  readonly perspectives: readonly string[];
  /** Up to 10; null when there was no usable answer. */
  readonly score: number | null;
  readonly findings: readonly Finding[];
  /** Findings that quote nothing of the diff, or name no criterion for a BLOCKER. */
  readonly dropped: number;
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

/** One line of the gate's checklist. */
interface GateItem {
  readonly name: string;
  /** `open` keeps the gate shut. */
  readonly state: "met" | "weak" | "open";
  readonly detail: string | null;
}

/** A changed line that could be broken without any check noticing. */
interface Survivor {
  readonly file: string;
  readonly line: number;
  readonly change: string;
}

export interface GateVerdict {
  readonly round: number;
  readonly commit: string | null;
  readonly passed: boolean;
  readonly items: readonly GateItem[];
  readonly survivors: readonly Survivor[];
}

/** A question to a model that was begun. Until it is closed, it may cost money. */
interface OpenQuestion {
  /** Also the name of a folder. */
  readonly id: string;
  readonly purpose: string;
  readonly agent: string;
  readonly model: string | null;
}

/** What a workflow knows beside its plan. */
export interface Stages {
  readonly policy: JudgementPolicy;
  readonly recalled: readonly Recalled[];
  /** From earlier loops of the project, 0 to 10; part of the fit. */
  readonly familiarity: number;
  readonly intent: Intent | null;
  readonly shape: WorkShape | null;
  readonly questions: readonly OpenQuestion[];
  readonly counsels: readonly Counsel[];
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
  const isWorkedOff = stages !== null && workflow.plan.tasks.every(({ id }) => isDone(workflow, id));
  return isWorkedOff ? "review" : "executing";
}

/** Blockers of a review that nobody has settled. */
export function blockersLeft({ findings, resolved }: ThoroughReview): readonly Finding[] {
  const settled = new Set(resolved.map(({ finding }) => finding));
  return blockersIn(findings).filter(({ id }) => !settled.has(id));
}
