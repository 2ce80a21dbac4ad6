import { ImpossibleEvent, type Actor } from "../events/event.ts";
import type {
  Stages,
  ThoroughReview,
  Resolution,
  RetryAdvice,
  GateVerdict,
  Intent,
  JudgementPolicy,
  Review,
  WaveReview,
  StageOptions,
  WorkShape,
} from "./stages.ts";
import type { SessionId } from "../loop/id.ts";
import type { MustNot, Shape } from "../loop/loop.ts";
import type { Recall } from "../loop/recall.ts";
import type { SpecScore } from "../spec/score.ts";

/** A plain loop recalls, too. */
export type OwnEvent = Exclude<StageEvent, { readonly type: "learnings.recalled" | "learnings.judged" }>;
type EventOf<Type extends OwnEvent["type"]> = Extract<OwnEvent, { readonly type: Type }>;

/** Folds one fact into the stages. Their first fact is the policy. */
export function evolveStages(stages: Stages | null, event: OwnEvent): Stages {
  if (event.type === "stages.begun") {
    if (stages !== null) throw new ImpossibleEvent("stages that begin twice");
    return begun(event);
  }
  if (stages === null) throw new ImpossibleEvent(`${event.type} without stages`);
  switch (event.type) {
    case "intent.settled":
      if (stages.intent !== null) throw new ImpossibleEvent("an intent that is settled twice");
      return { ...stages, intent: event.intent };
    case "shape.drawn":
      if (stages.shape !== null) throw new ImpossibleEvent("a second shape");
      return { ...stages, shape: event.shape };
    case "question.asked":
      return ask(stages, event);
    case "question.closed":
      return close(stages, event);
    case "counsel.given": {
      const { type: _type, ...counsel } = event;
      if (stages.counsels.some(({ task, after }) => task === counsel.task && after === counsel.after))
        throw new ImpossibleEvent(`a second counsel after attempt ${counsel.after} at ${counsel.task}`);
      return { ...stages, counsels: [...stages.counsels, counsel] };
    }
    case "wave.reviewed": {
      const { type: _type, ...review } = event;
      if (stages.waveReviews.some(({ wave }) => wave === review.wave))
        throw new ImpossibleEvent(`a second review of wave ${review.wave}`);
      return { ...stages, waveReviews: [...stages.waveReviews, review] };
    }
    case "work.reviewed": {
      const { type: _type, ...review } = event;
      if (review.round !== stages.reviews.length + 1)
        throw new ImpossibleEvent(`review ${review.round} follows review ${stages.reviews.length}`);
      return { ...stages, reviews: [...stages.reviews, { ...review, resolved: [] }] };
    }
    case "finding.resolved":
      return resolve(stages, event);
    case "gate.judged": {
      const { type: _type, ...verdict } = event;
      if (verdict.round !== stages.gates.length + 1)
        throw new ImpossibleEvent(`gate ${verdict.round} follows gate ${stages.gates.length}`);
      return { ...stages, gates: [...stages.gates, verdict] };
    }
  }
}

function begun({ policy, wishes }: EventOf<"stages.begun">): Stages {
  return {
    policy,
    roundLimit: policy.rounds,
    wishes: wishes ?? null,
    intent: null,
    shape: null,
    questions: [],
    counsels: [],
    waveReviews: [],
    reviews: [],
    gates: [],
  };
}

function ask(stages: Stages, event: EventOf<"question.asked">): Stages {
  const { question: id, run, purpose, agent, model } = event;
  if (stages.questions.some((each) => each.id === id))
    throw new ImpossibleEvent(`the question ${id} is asked twice at once`);
  return { ...stages, questions: [...stages.questions, { id, run, purpose, agent, model }] };
}

function close(stages: Stages, { question }: EventOf<"question.closed">): Stages {
  const questions = stages.questions.filter(({ id }) => id !== question);
  if (questions.length === stages.questions.length)
    throw new ImpossibleEvent(`the question ${question} is closed, but isn't open`);
  return { ...stages, questions };
}

function resolve(stages: Stages, { round, finding, how, task }: EventOf<"finding.resolved">): Stages {
  const review = stages.reviews.find((each) => each.round === round);
  if (review === undefined || !review.findings.some(({ id }) => id === finding))
    throw new ImpossibleEvent(`${finding} of review ${round} is settled, but wasn't found`);
  const before = review.resolved.find((each) => each.finding === finding);
  // What became a task may come back, when the task changed nothing.
  if (before !== undefined && before.task === null)
    throw new ImpossibleEvent(`${finding} of review ${round} is settled twice`);
  const others = review.resolved.filter((each) => each !== before);
  const settled: ThoroughReview = { ...review, resolved: [...others, { finding, how, task }] };
  return { ...stages, reviews: stages.reviews.map((each) => (each === review ? settled : each)) };
}

/** A person gives the work more rounds of review. */
export function withMoreRounds(stages: Stages, added: number): Stages {
  return { ...stages, roundLimit: stages.roundLimit + added };
}

/** What a workflow's journal knows of its stages. The plan and the work on it have events of their own. */
export type StageEvent =
  /** Without wishes it was opened with its plan. */
  | {
      readonly type: "stages.begun";
      readonly policy: JudgementPolicy;
      readonly wishes?: StageOptions | undefined;
    }
  /** At the opening, before the spec is scored; of a plain loop, too. */
  | ({ readonly type: "learnings.recalled" } & Recall)
  /** The user of a session says which of them apply; the others stay as they are. */
  | {
      readonly type: "learnings.judged";
      readonly confirmed: readonly string[];
      readonly dismissed: readonly string[];
      readonly familiarity: number;
    }
  /** The spec is understood: as it was, or sharpened by answers, and scored again only then. */
  | {
      readonly type: "intent.settled";
      readonly spec: string;
      readonly score: SpecScore;
      readonly shape: Shape;
      readonly intent: Intent;
      readonly by: Actor;
    }
  /** The must-nots are added to those of the loop. */
  | { readonly type: "shape.drawn"; readonly shape: WorkShape; readonly mustNots: readonly MustNot[] }
  /** Written before a model is asked. */
  | {
      readonly type: "question.asked";
      /** One turn: a question that is put again gets another name. */
      readonly question: string;
      readonly run: SessionId;
      readonly purpose: string;
      readonly agent: string;
      readonly model: string | null;
    }
  /** What it cost is charged in the same record. */
  | { readonly type: "question.closed"; readonly question: string; readonly failure: string | null }
  | ({ readonly type: "counsel.given" } & RetryAdvice)
  | ({ readonly type: "wave.reviewed" } & WaveReview)
  | ({ readonly type: "work.reviewed"; readonly round: number; readonly commit: string | null } & Review)
  | {
      readonly type: "finding.resolved";
      readonly round: number;
      readonly finding: string;
      readonly how: Resolution;
      readonly task: string | null;
      readonly by: Actor;
    }
  | ({ readonly type: "gate.judged" } & GateVerdict);

export const STAGE_EVENT_VERSION = {
  "stages.begun": 1,
  "learnings.recalled": 1,
  "learnings.judged": 1,
  "intent.settled": 1,
  "shape.drawn": 1,
  "question.asked": 1,
  "question.closed": 1,
  "counsel.given": 1,
  "wave.reviewed": 2,
  "work.reviewed": 2,
  "finding.resolved": 1,
  "gate.judged": 1,
} as const satisfies { readonly [Type in StageEvent["type"]]: number };

export function isStageEvent(event: { readonly type: string }): event is StageEvent {
  return event.type in STAGE_EVENT_VERSION;
}
