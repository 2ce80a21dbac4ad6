import * as v from "valibot";
import type { StageEvent } from "../../core/stages/stage-event.ts";
import type { Finding, Intent, StageOptions, WorkShape } from "../../core/stages/stages.ts";
import { RESOLUTIONS, SEVERITIES, KINDS } from "../../core/stages/stages.ts";
import { LEARNING_KINDS } from "../../core/loop/recall.ts";
import { SHAPES } from "../../core/loop/loop.ts";
import type { Schema } from "./schema-parts.ts";
import {
  actor,
  amount,
  check,
  commit,
  count,
  flag,
  folderName,
  mustNot,
  orNull,
  score,
  sessionId,
  taskId,
  text,
  texts,
} from "./schema-parts.ts";

const wishes: Schema<StageOptions> = v.object({
  shape: orNull(v.picklist(SHAPES)),
  kind: orNull(v.picklist(KINDS)),
  parallel: count,
  checkTimeoutMs: amount,
  allowedChecks: texts,
  keepsTests: flag,
});

const intent: Schema<Intent> = v.object({
  answers: v.array(v.object({ question: text, answer: text })),
  modelScores: v.array(v.object({ dimension: text, points: count, quote: text })),
  echo: orNull(v.object({ deliverable: text, firstFact: text, hardestConstraint: text })),
});

const workShape: Schema<WorkShape> = v.object({
  kind: v.picklist(KINDS),
  aspects: texts,
  criteria: v.array(v.object({ name: text, check: orNull(check), proposed: orNull(text) })),
  decisions: texts,
});

const finding: Schema<Finding> = v.object({
  id: text,
  severity: v.picklist(SEVERITIES),
  perspective: text,
  file: text,
  line: orNull(count),
  quote: text,
  problem: text,
  breaks: orNull(text),
  command: orNull(text),
  failsNow: flag,
  fix: orNull(text),
  refused: orNull(text),
});

const voice = v.object({ perspective: text, score: orNull(amount), issues: count, failure: orNull(text) });

const review = {
  perspectives: texts,
  score: orNull(amount),
  panel: v.optional(v.array(voice)),
  findings: v.array(finding),
  dropped: count,
  unquoted: v.optional(v.array(v.object({ file: text, quote: text, problem: text }))),
  unseen: texts,
  agent: orNull(text),
  failure: orNull(text),
};

type EventOf<Type extends StageEvent["type"]> = Extract<StageEvent, { readonly type: Type }>;

export const STAGE_SCHEMAS: { readonly [Type in StageEvent["type"]]: Schema<EventOf<Type>> } = {
  "stages.begun": v.object({
    type: v.literal("stages.begun"),
    policy: v.object({ asks: flag, rounds: count }),
    wishes: v.optional(wishes),
  }),
  "learnings.recalled": v.object({
    type: v.literal("learnings.recalled"),
    learnings: v.array(
      v.object({
        id: text,
        kind: v.picklist(LEARNING_KINDS),
        text,
        confidence: amount,
        confirmed: orNull(flag),
      }),
    ),
    familiarity: amount,
  }),
  "learnings.judged": v.object({
    type: v.literal("learnings.judged"),
    confirmed: texts,
    dismissed: texts,
    familiarity: amount,
  }),
  "intent.settled": v.object({
    type: v.literal("intent.settled"),
    spec: text,
    score,
    shape: v.picklist(SHAPES),
    intent,
    by: actor,
  }),
  "shape.drawn": v.object({
    type: v.literal("shape.drawn"),
    shape: workShape,
    mustNots: v.array(mustNot),
  }),
  "question.asked": v.object({
    type: v.literal("question.asked"),
    question: folderName,
    run: sessionId,
    purpose: text,
    agent: text,
    model: orNull(text),
  }),
  "question.closed": v.object({
    type: v.literal("question.closed"),
    question: folderName,
    failure: orNull(text),
  }),
  "counsel.given": v.object({
    type: v.literal("counsel.given"),
    task: taskId,
    after: count,
    perspectives: texts,
    approach: text,
    digest: text,
    agent: orNull(text),
  }),
  "wave.reviewed": v.object({ type: v.literal("wave.reviewed"), wave: count, ...review }),
  "work.reviewed": v.object({
    type: v.literal("work.reviewed"),
    round: count,
    commit: orNull(commit),
    ...review,
  }),
  "finding.resolved": v.object({
    type: v.literal("finding.resolved"),
    round: count,
    finding: text,
    how: v.picklist(RESOLUTIONS),
    task: orNull(taskId),
    by: actor,
  }),
  "gate.judged": v.object({
    type: v.literal("gate.judged"),
    round: count,
    commit: orNull(commit),
    tasks: count,
    passed: flag,
    items: v.array(
      v.object({ name: text, state: v.picklist(["met", "weak", "open"]), detail: orNull(text) }),
    ),
    survivors: v.array(v.object({ file: text, line: count, change: text })),
  }),
};
