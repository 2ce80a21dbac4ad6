import { ImpossibleEvent } from "../events/event.ts";
import type { StageEvent } from "./stage-event.ts";
import type { Stages, ThoroughReview } from "./stages.ts";

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
