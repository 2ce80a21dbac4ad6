import * as v from "valibot";
import type { Attestation, Check, Evidence } from "../core/criterion.ts";
import { CHECK_USES, VERIFICATION_TYPES } from "../core/criterion.ts";
import type { ChangedFiles, Proof } from "../core/proof.ts";
import { PROOF_KINDS, PROOF_MODES, PROOF_RESULTS } from "../core/proof.ts";
import type { Actor, ClaimSource, EventOf, LoopEvent, OpenedGoal } from "../core/event.ts";
import { EVENT_VERSION, TURN_OUTCOMES } from "../core/event.ts";
import { isFolderBelowRoot } from "../core/folder.ts";
import type { LoopId, SessionId } from "../core/id.ts";
import { parseLoopId, parseSessionId } from "../core/id.ts";
import type {
  Binding,
  Breakers,
  Limits,
  MustNot,
  ProcessMark,
  Task,
  TokenCounts,
  TreeMark,
} from "../core/loop.ts";
import { EXIT_RULES, MODES, ORIGINS, PAUSE_REASONS, SHAPES, TASK_STATUSES } from "../core/loop.ts";
import type { Plan } from "../core/plan/plan.ts";
import { isTaskId, PLAN_SOURCES } from "../core/plan/plan.ts";
import type { Setback } from "../core/plan/workflow.ts";
import { SETBACKS } from "../core/plan/workflow.ts";
import type { SpecScore } from "../rubric/score.ts";
import { DIMENSIONS } from "../rubric/dimension.ts";
import type { StoredEvent } from "./upcast.ts";
import { upcast } from "./upcast.ts";

type Schema<Value> = v.GenericSchema<unknown, Value>;

const text = v.string();
const flag = v.boolean();
const amount = v.pipe(v.number(), v.finite(), v.minValue(0));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const texts = v.array(text);
const orNull = <Value>(schema: Schema<Value>): Schema<Value | null> => v.nullable(schema);

const actor: Schema<Actor> = v.picklist(["person", "agent", "machine"]);
const source: Schema<ClaimSource> = v.picklist(["command", "status-block", "state-file", "marker"]);
const loopId = v.custom<LoopId>((value) => parseLoopId(value) !== null);
const sessionId = v.custom<SessionId>((value) => parseSessionId(value) !== null);
const folder = v.pipe(text, v.check(isFolderBelowRoot));
const binding: Schema<Binding> = v.object({ session: sessionId, host: text });
const treeMark: Schema<TreeMark> = v.object({ tree: orNull(text), head: orNull(text) });

const processMark: Schema<ProcessMark> = v.object({
  pid: v.pipe(v.number(), v.safeInteger(), v.minValue(2)),
  startedAt: text,
  boot: text,
});
const tokenCounts: Schema<TokenCounts> = v.object({
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
});
/** It names a folder. */
const turnId = v.pipe(text, v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/));

const check: Schema<Check> = v.object({
  command: v.variant("kind", [
    v.object({ kind: v.literal("shell"), line: text }),
    v.object({ kind: v.literal("argv"), argv: v.tupleWithRest([text], text) }),
  ]),
  timeoutMs: amount,
  passEnv: texts,
  use: v.exactOptional(v.picklist(CHECK_USES)),
  folder: v.exactOptional(folder),
});

const proof: Schema<Proof> = v.object({
  kind: v.picklist(PROOF_KINDS),
  result: v.picklist(PROOF_RESULTS),
  detail: orNull(text),
  files: texts,
});

const changedFiles: Schema<ChangedFiles> = v.object({
  source: texts,
  tests: texts,
  definitions: texts,
  deleted: texts,
});

const evidence: Schema<Evidence> = v.object({
  passed: flag,
  command: text,
  exitCode: orNull(v.pipe(v.number(), v.safeInteger())),
  ending: text,
  outputTail: text,
  outputDigest: text,
  outputFile: orNull(v.pipe(text, v.regex(/^[\w-]+\.txt$/))),
  treeDigest: orNull(text),
  protectedDigest: orNull(text),
  durationMs: amount,
  alteredTree: flag,
  withheld: texts,
  at: amount,
});

const verification: Schema<Attestation["by"]> = v.picklist(VERIFICATION_TYPES);

const goal: Schema<OpenedGoal> = v.object({
  spec: text,
  exitRule: v.picklist(EXIT_RULES),
  mode: v.picklist(MODES),
  iterationLimit: orNull(count),
  criteria: v.array(v.object({ name: text, check: orNull(check) })),
  steps: texts,
});

const points = v.picklist([0, 1, 2]);
const score: Schema<SpecScore> = v.object({
  outcome: points,
  scope: points,
  constraints: points,
  success: points,
  done: points,
  total: count,
  evidence: v.object(
    Object.fromEntries(DIMENSIONS.map((each) => [each, texts])) as Record<
      (typeof DIMENSIONS)[number],
      typeof texts
    >,
  ),
  questions: texts,
});

const limits: Schema<Limits> = v.object({
  budgetUsd: orNull(amount),
  tokens: orNull(count),
  minutes: orNull(amount),
  stuck: count,
  sameError: count,
  sameFile: count,
  noProgress: count,
  ttlMs: amount,
});

const mustNot: Schema<MustNot> = v.variant("kind", [
  v.object({ kind: v.literal("path"), glob: text }),
  v.object({ kind: v.literal("run"), check }),
]);

const task: Schema<Task> = v.object({
  id: text,
  subject: text,
  status: v.picklist(TASK_STATUSES),
  blockedBy: texts,
  wave: orNull(count),
  attempts: count,
});

const breakers: Schema<Breakers> = v.object({
  stuck: v.object({ lastUnmet: orNull(text), count }),
  sameError: v.object({ signature: orNull(text), count }),
  noProgress: v.object({ fingerprint: orNull(text), count }),
});

const confidence = v.picklist(["verified", "weak", "unverified"]);

const commit = v.pipe(text, v.regex(/^[0-9a-f]{40,64}$/));
/** Part of refs and folders. */
const taskId = v.pipe(text, v.check(isTaskId));
const branchName = v.pipe(text, v.regex(/^loop\/[a-z0-9-]+$/));
const plan: Schema<Plan> = v.object({
  source: v.picklist(PLAN_SOURCES),
  tasks: v.array(
    v.object({
      id: taskId,
      subject: text,
      description: text,
      check: orNull(check),
      proposed: orNull(text),
      blockedBy: v.array(taskId),
      files: texts,
      estimateMs: orNull(amount),
    }),
  ),
});
const setback: Schema<Setback> = v.object({
  kind: v.picklist(SETBACKS),
  detail: text,
  carry: orNull(commit),
  failing: v.array(taskId),
});

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
  "protection.approved": v.object({ type: v.literal("protection.approved"), digest: text }),
  "cost.charged": v.object({
    type: v.literal("cost.charged"),
    usd: amount,
    tokens: count,
    priced: flag,
    turn: v.exactOptional(turnId),
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
    turn: turnId,
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
    turn: turnId,
    outcome: v.picklist(TURN_OUTCOMES),
    said: orNull(text),
    reportedUsd: orNull(amount),
    reportedTokens: orNull(tokenCounts),
  }),
  "usage-limit.met": v.object({ type: v.literal("usage-limit.met"), until: amount, detail: text }),
  "checkpoint.restored": v.object({
    type: v.literal("checkpoint.restored"),
    iteration: count,
    commit,
  }),
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
  "plan.adopted": v.object({
    type: v.literal("plan.adopted"),
    plan,
    parallel: count,
    attemptLimit: count,
    attemptUsd: orNull(amount),
  }),
  "branch.begun": v.object({
    type: v.literal("branch.begun"),
    name: branchName,
    from: commit,
    userBranch: orNull(text),
  }),
  "wave.begun": v.object({ type: v.literal("wave.begun"), wave: count }),
  "wave.ended": v.object({ type: v.literal("wave.ended"), wave: count }),
  "attempt.started": v.object({
    type: v.literal("attempt.started"),
    task: taskId,
    number: count,
    loop: loopId,
    base: orNull(commit),
    worktree: orNull(text),
    slot: count,
    agent: text,
    reservedUsd: orNull(amount),
  }),
  "attempt.finished": v.object({
    type: v.literal("attempt.finished"),
    task: taskId,
    number: count,
    commit: orNull(commit),
    confidence,
  }),
  "attempt.set-back": v.object({
    type: v.literal("attempt.set-back"),
    task: taskId,
    number: count,
    setback,
  }),
  "merge.begun": v.object({
    type: v.literal("merge.begun"),
    merge: count,
    tasks: v.array(taskId),
    onto: orNull(commit),
  }),
  "merge.ended": v.object({
    type: v.literal("merge.ended"),
    merge: count,
    accepted: v.array(v.object({ task: taskId, commit: orNull(commit) })),
    setBack: v.array(v.object({ task: taskId, setback })),
  }),
  "task.given-up": v.object({ type: v.literal("task.given-up"), task: taskId, why: text }),
  "agent.limited": v.object({ type: v.literal("agent.limited"), agent: text, until: amount }),
  "work.delivered": v.object({
    type: v.literal("work.delivered"),
    delivery: v.object({ how: v.picklist(["moved", "left"]), why: orNull(text) }),
  }),
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
