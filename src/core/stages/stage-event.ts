import type { Actor } from "../events/event.ts";
import type { SessionId } from "../loop/id.ts";
import type { MustNot, Shape } from "../loop/loop.ts";
import type { Recall } from "../loop/recall.ts";
import type { SpecScore } from "../spec/score.ts";
import type {
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
