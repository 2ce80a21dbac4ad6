import * as v from "valibot";
import type { Attestation, Check, Evidence } from "../../core/loop/criterion.ts";
import { CHECK_USES, VERIFICATION_TYPES } from "../../core/loop/criterion.ts";
import {
  PROOF_KINDS,
  PROOF_RESULTS,
  type ChangedFiles,
  type Proof,
  type ProofRan,
} from "../../core/loop/proof.ts";
import type { Actor, ClaimSource, OpenedGoal } from "../../core/events/event.ts";
import { isFolderBelowRoot } from "../../core/loop/folder.ts";
import { parseLoopId, parseSessionId, type LoopId, type SessionId } from "../../core/loop/id.ts";
import type {
  Binding,
  Breakers,
  Limits,
  MustNot,
  ProcessMark,
  Task,
  TokenCounts,
  TreeMark,
} from "../../core/loop/loop.ts";
import { EXIT_RULES, MODES, TASK_STATUSES } from "../../core/loop/loop.ts";
import { isTaskId } from "../../core/plan/plan.ts";
import type { SpecScore } from "../../core/spec/score.ts";
import { DIMENSIONS } from "../../core/spec/rule.ts";

export type Schema<Value> = v.GenericSchema<unknown, Value>;

export const text = v.string();
export const flag = v.boolean();
export const amount = v.pipe(v.number(), v.finite(), v.minValue(0));
export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const texts = v.array(text);
export const orNull = <Value>(schema: Schema<Value>): Schema<Value | null> => v.nullable(schema);

export const actor: Schema<Actor> = v.picklist(["person", "agent", "machine"]);
export const source: Schema<ClaimSource> = v.picklist(["command", "status-block", "state-file", "marker"]);
export const loopId = v.custom<LoopId>((value) => parseLoopId(value) !== null);
export const sessionId = v.custom<SessionId>((value) => parseSessionId(value) !== null);
export const folder = v.pipe(text, v.check(isFolderBelowRoot));
export const binding: Schema<Binding> = v.object({ session: sessionId, host: text });
export const treeMark: Schema<TreeMark> = v.object({ tree: orNull(text), head: orNull(text) });

export const processMark: Schema<ProcessMark> = v.object({
  pid: v.pipe(v.number(), v.safeInteger(), v.minValue(2)),
  startedAt: text,
  boot: text,
});
export const tokenCounts: Schema<TokenCounts> = v.object({
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
});
/** It names a folder. */
export const folderName = v.pipe(text, v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/));

export const check: Schema<Check> = v.object({
  command: v.variant("kind", [
    v.object({ kind: v.literal("shell"), line: text }),
    v.object({ kind: v.literal("argv"), argv: v.tupleWithRest([text], text) }),
  ]),
  timeoutMs: amount,
  passEnv: texts,
  use: v.exactOptional(v.picklist(CHECK_USES)),
  folder: v.exactOptional(folder),
});

const proofRan: Schema<ProofRan> = v.object({
  command: text,
  exitCode: orNull(v.pipe(v.number(), v.safeInteger())),
  output: text,
});

export const proof: Schema<Proof> = v.object({
  kind: v.picklist(PROOF_KINDS),
  result: v.picklist(PROOF_RESULTS),
  detail: orNull(text),
  files: texts,
  ran: v.exactOptional(proofRan),
});

export const changedFiles: Schema<ChangedFiles> = v.object({
  source: texts,
  tests: texts,
  definitions: texts,
  deleted: texts,
});

export const evidence: Schema<Evidence> = v.object({
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

export const verification: Schema<Attestation["by"]> = v.picklist(VERIFICATION_TYPES);

export const goal: Schema<OpenedGoal> = v.object({
  spec: text,
  exitRule: v.picklist(EXIT_RULES),
  mode: v.picklist(MODES),
  iterationLimit: orNull(count),
  criteria: v.array(v.object({ name: text, check: orNull(check) })),
  steps: texts,
});

const points = v.picklist([0, 1, 2]);
export const score: Schema<SpecScore> = v.object({
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

export const limits: Schema<Limits> = v.object({
  budgetUsd: orNull(amount),
  tokens: orNull(count),
  minutes: orNull(amount),
  stuck: count,
  sameError: count,
  sameFile: count,
  noProgress: count,
  ttlMs: amount,
});

export const mustNot: Schema<MustNot> = v.variant("kind", [
  v.object({ kind: v.literal("path"), glob: text }),
  v.object({ kind: v.literal("run"), check }),
]);

export const task: Schema<Task> = v.object({
  id: text,
  subject: text,
  status: v.picklist(TASK_STATUSES),
  blockedBy: texts,
  wave: orNull(count),
  attempts: count,
});

export const breakers: Schema<Breakers> = v.object({
  stuck: v.object({ lastUnmet: orNull(text), count }),
  sameError: v.object({ signature: orNull(text), count }),
  noProgress: v.object({ fingerprint: orNull(text), count }),
});

export const confidence = v.picklist(["verified", "weak", "unverified"]);

export const commit = v.pipe(text, v.regex(/^[0-9a-f]{40,64}$/));
/** Part of refs and folders. */
export const taskId = v.pipe(text, v.check(isTaskId));
