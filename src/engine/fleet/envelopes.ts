import { createHash } from "node:crypto";
import * as v from "valibot";
import { LEARNING_KINDS } from "../../core/loop/recall.ts";
import { PROOF_MODES } from "../../core/loop/proof.ts";
import {
  amount,
  check,
  commit,
  count,
  flag,
  folder,
  limits,
  loopId,
  mustNot,
  orNull,
  taskId,
  text,
  texts,
} from "../../storage/journal/schema-parts.ts";
import type { AttemptEnvelope } from "../plan/executor.ts";
import { agentSchema, setupSchema } from "../run/agent-choice.ts";

/** Of the envelopes that this program writes and understands. */
export const ENVELOPE_VERSION = 2;

export const uuid = v.pipe(text, v.uuid());

const attempt = v.object({
  version: v.literal(1),
  key: text,
  workflow: loopId,
  task: taskId,
  number: v.pipe(count, v.minValue(1)),
  loop: loopId,
  base: commit,
  carry: orNull(commit),
  folder,
  slot: count,
  agent: text,
  spec: text,
  criteria: v.array(v.object({ name: text, check: orNull(check) })),
  mustNots: v.array(mustNot),
  protects: texts,
  mayChange: texts,
  proof: v.picklist(PROOF_MODES),
  proofBudgetMs: orNull(amount),
  limits,
  turnUsd: amount,
  iterationLimit: orNull(count),
  mayBeDone: flag,
  recall: orNull(
    v.object({
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
  ),
});

const envelope = v.object({
  purpose: v.literal("attempt"),
  version: v.literal(ENVELOPE_VERSION),
  job: uuid,
  queue: text,
  exec: v.pipe(count, v.minValue(1)),
  repository: v.pipe(text, v.regex(/^[0-9a-f]{64}$/)),
  expires: amount,
  attempt,
  choice: agentSchema,
  setup: setupSchema,
  copies: texts,
  /** What setup and checks were seen to add where the plan began: no work of an attempt's. */
  written: texts,
});

/** What a worker is asked to do. Where it works is its own affair. */
export type FleetEnvelope = Readonly<v.InferOutput<typeof envelope>>;

export type ReadEnvelope =
  | { readonly type: "envelope"; readonly envelope: FleetEnvelope }
  | { readonly type: "other-version"; readonly version: number }
  | { readonly type: "malformed" };

export function readEnvelope(body: unknown): ReadEnvelope {
  const version = v.safeParse(v.object({ purpose: v.literal("attempt"), version: count }), body);
  if (version.success && version.output.version !== ENVELOPE_VERSION)
    return { type: "other-version", version: version.output.version };
  const read = v.safeParse(envelope, body);
  if (!read.success) return { type: "malformed" };
  const { key, workflow, task, number } = read.output.attempt;
  const isOwnKey = key === `${workflow}/${task}/${number}`;
  return isOwnKey && read.output.job === jobIdOf(key, read.output.exec)
    ? { type: "envelope", envelope: read.output }
    : { type: "malformed" };
}

/** The same execution has the same id, whoever asks for it. */
export function jobIdOf(key: string, exec: number): string {
  const hex = createHash("sha256").update(`${key}\n${exec}`).digest("hex");
  // As a random UUID looks.
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Without the worktree, which is the worker's affair. */
export function asAttempt(envelope: AttemptEnvelope): FleetEnvelope["attempt"] {
  const others: Partial<AttemptEnvelope> = { ...envelope };
  delete (others as { worktree?: unknown }).worktree;
  return others as FleetEnvelope["attempt"];
}
