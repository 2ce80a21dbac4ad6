import * as v from "valibot";
import { PROOF_MODES } from "../../core/loop/proof.ts";
import { EVENT_VERSION, TURN_OUTCOMES, type EventOf, type LoopEvent } from "../../core/events/event.ts";
import { ORIGINS, PAUSE_REASONS, SHAPES } from "../../core/loop/loop.ts";
import type { Schema } from "./schema-parts.ts";
import {
  actor,
  amount,
  binding,
  breakers,
  changedFiles,
  check,
  commit,
  confidence,
  count,
  evidence,
  flag,
  folder,
  folderName,
  goal,
  limits,
  loopId,
  mustNot,
  orNull,
  processMark,
  proof,
  score,
  sessionId,
  source,
  task,
  taskId,
  text,
  texts,
  tokenCounts,
  treeMark,
  verification,
} from "./schema-parts.ts";
import { STAGE_SCHEMAS } from "./stage-schema.ts";
import { upcast, type StoredEvent } from "./upcast.ts";
import { WORKFLOW_SCHEMAS } from "./workflow-schema.ts";

/** One schema per event: an event without one, or a field of another type, doesn't compile. */
const SCHEMAS: { readonly [Type in LoopEvent["type"]]: Schema<EventOf<Type>> } = {
  "loop.opened": v.object({
    type: v.literal("loop.opened"),
    id: loopId,
    by: actor,
    origin: v.picklist(ORIGINS),
    folder,
    goal,
    score,
    shape: v.picklist(SHAPES),
    limits,
    mustNots: v.array(mustNot),
    protects: texts,
    protectedDigest: orNull(text),
    redFirst: flag,
    proof: v.picklist(PROOF_MODES),
    proofBudgetMs: orNull(amount),
    mayChange: texts,
    start: treeMark,
    binding: orNull(binding),
    attemptOf: orNull(v.object({ loop: loopId, task: taskId, number: count })),
  }),
  "session.bound": v.object({ type: v.literal("session.bound"), binding }),
  "frame.pushed": v.object({ type: v.literal("frame.pushed"), goal, by: actor }),
  "frame.popped": v.object({
    type: v.literal("frame.popped"),
    outcome: v.picklist(["satisfied", "stuck", "iterations"]),
  }),
  "turn.started": v.object({ type: v.literal("turn.started") }),
  "wait.began": v.object({ type: v.literal("wait.began"), what: text }),
  "criterion.added": v.object({
    type: v.literal("criterion.added"),
    name: text,
    check: orNull(check),
    by: actor,
  }),
  "criterion.amended": v.object({
    type: v.literal("criterion.amended"),
    name: text,
    check: orNull(check),
    by: actor,
  }),
  "criterion.removed": v.object({ type: v.literal("criterion.removed"), name: text, by: actor }),
  "criterion.attested": v.object({
    type: v.literal("criterion.attested"),
    name: text,
    by: verification,
    actor,
    note: orNull(text),
    source,
  }),
  "criterion.disclaimed": v.object({ type: v.literal("criterion.disclaimed"), name: text, source }),
  "check.ran": v.object({ type: v.literal("check.ran"), name: text, evidence, atStart: flag }),
  "proof.shown": v.object({ type: v.literal("proof.shown"), name: orNull(text), proof }),
  "loop.trusted": v.object({ type: v.literal("loop.trusted") }),
  "opening.approved": v.object({ type: v.literal("opening.approved"), names: texts }),
  "step.added": v.object({ type: v.literal("step.added"), name: text }),
  "step.finished": v.object({ type: v.literal("step.finished"), name: text, source }),
  "step.reopened": v.object({ type: v.literal("step.reopened"), name: text }),
  "step.removed": v.object({ type: v.literal("step.removed"), name: text }),
  "task.recorded": v.object({ type: v.literal("task.recorded"), task }),
  "task.dropped": v.object({ type: v.literal("task.dropped"), id: text }),
  "exit.signalled": v.object({ type: v.literal("exit.signalled"), source }),
  "exit.withdrawn": v.object({ type: v.literal("exit.withdrawn"), source }),
  "next.said": v.object({ type: v.literal("next.said"), text: orNull(text) }),
  "words.told": v.object({ type: v.literal("words.told"), text, task: orNull(taskId) }),
  "words.heard": v.object({ type: v.literal("words.heard"), count, turn: orNull(folderName) }),
  "protection.approved": v.object({ type: v.literal("protection.approved"), digest: text }),
  "cost.charged": v.object({
    type: v.literal("cost.charged"),
    usd: amount,
    tokens: count,
    priced: flag,
    turn: v.exactOptional(folderName),
    turnUsd: v.exactOptional(amount),
  }),
  "transcript.read": v.object({ type: v.literal("transcript.read"), cursor: text }),
  "iteration.adopted": v.object({ type: v.literal("iteration.adopted"), iteration: count }),
  "breakers.counted": v.object({ type: v.literal("breakers.counted"), breakers }),
  "iteration.held": v.object({
    type: v.literal("iteration.held"),
    iteration: count,
    sentFailure: orNull(text),
  }),
  "iteration.handed-back": v.object({ type: v.literal("iteration.handed-back"), iteration: count }),
  "run.began": v.object({
    type: v.literal("run.began"),
    run: sessionId,
    driver: text,
    model: orNull(text),
    process: processMark,
  }),
  "run.ended": v.object({
    type: v.literal("run.ended"),
    run: sessionId,
    lastSeenAt: v.exactOptional(amount),
  }),
  "turn.launched": v.object({
    type: v.literal("turn.launched"),
    turn: folderName,
    run: sessionId,
    driver: text,
    model: orNull(text),
    iteration: count,
    conversation: orNull(sessionId),
    step: orNull(text),
    checkpoint: orNull(text),
  }),
  "conversation.opened": v.object({ type: v.literal("conversation.opened"), conversation: sessionId }),
  "turn.ended": v.object({
    type: v.literal("turn.ended"),
    turn: folderName,
    outcome: v.picklist(TURN_OUTCOMES),
    said: orNull(text),
    reportedUsd: orNull(amount),
    reportedTokens: orNull(tokenCounts),
  }),
  "permission.denied": v.object({ type: v.literal("permission.denied"), denials: v.array(text) }),
  "usage-limit.met": v.object({ type: v.literal("usage-limit.met"), until: amount, detail: text }),
  "checkpoint.restored": v.object({
    type: v.literal("checkpoint.restored"),
    iteration: count,
    commit,
  }),
  "commit.wanted": v.object({
    type: v.literal("commit.wanted"),
    from: commit,
    onto: orNull(text),
    branch: orNull(text),
    acceptsWeak: flag,
  }),
  "work.committed": v.object({
    type: v.literal("work.committed"),
    commit: orNull(commit),
    before: orNull(commit),
    why: orNull(text),
  }),
  "commit.undone": v.object({ type: v.literal("commit.undone") }),
  "shape.changed": v.object({
    type: v.literal("shape.changed"),
    shape: v.picklist(SHAPES),
    by: actor,
  }),
  "loosening.refused": v.object({ type: v.literal("loosening.refused"), what: text }),
  "loop.paused": v.object({
    type: v.literal("loop.paused"),
    reason: v.picklist(PAUSE_REASONS),
    detail: orNull(text),
    by: actor,
  }),
  "loop.continued": v.object({
    type: v.literal("loop.continued"),
    addedUsd: orNull(amount),
    addedIterations: orNull(count),
    addedTokens: orNull(count),
    addedMinutes: orNull(amount),
    by: actor,
  }),
  "loop.cancelled": v.object({ type: v.literal("loop.cancelled"), by: actor }),
  "loop.completed": v.object({
    type: v.literal("loop.completed"),
    confidence,
    why: texts,
    changed: orNull(changedFiles),
  }),
  ...WORKFLOW_SCHEMAS,
  ...STAGE_SCHEMAS,
};

export type ParsedEvent =
  | { readonly type: "event"; readonly event: LoopEvent }
  | { readonly type: "newer" }
  | { readonly type: "malformed" };

const envelope = v.object({ type: text, v: v.pipe(count, v.minValue(1)) });

export function parseEvent(value: unknown): ParsedEvent {
  const named = v.safeParse(envelope, value);
  if (!named.success) return { type: "malformed" };
  const { type: name, v: version } = named.output;
  if (!Object.hasOwn(SCHEMAS, name)) return { type: "newer" };
  const known = name as LoopEvent["type"];
  if (version > EVENT_VERSION[known]) return { type: "newer" };
  const current = upcast(known, version, value as StoredEvent);
  const parsed = v.safeParse<Schema<LoopEvent>>(SCHEMAS[known], current);
  return parsed.success ? { type: "event", event: parsed.output } : { type: "malformed" };
}
