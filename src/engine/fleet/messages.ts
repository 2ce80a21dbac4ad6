import { createHash } from "node:crypto";
import * as v from "valibot";
import { EVENT_VERSION, type LoopEvent } from "../../core/events/event.ts";
import { LEARNING_KINDS } from "../../core/loop/recall.ts";
import { PROOF_MODES } from "../../core/loop/proof.ts";
import { parseEvent } from "../../storage/journal/event-schema.ts";
import type { JournalRecord } from "../../storage/journal/record.ts";
import {
  amount,
  check,
  commit,
  confidence,
  count,
  evidence,
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
import { setback } from "../../storage/journal/workflow-schema.ts";
import type { WorkerRow } from "./fleet-engine.ts";
import { parseFingerprint } from "./keys.ts";
import type { AttemptEnvelope, AttemptOutcome } from "../plan/executor.ts";
import { agentSchema, setupSchema } from "../run/agent-choice.ts";

/** Of the envelopes that this program writes and understands. */
export const ENVELOPE_VERSION = 2;

const uuid = v.pipe(text, v.uuid());

/** People read it, and paste it into commands. */
export const WORKER_NAME = /^[A-Za-z0-9][\w-]{0,39}$/;
const workerName = v.pipe(text, v.regex(WORKER_NAME));

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

const usage = v.object({ usd: amount, turnUsd: amount, tokens: count, priced: flag });

const outcome: v.GenericSchema<unknown, AttemptOutcome> = v.variant("type", [
  v.object({ type: v.literal("finished"), commit: orNull(commit), confidence, doubts: texts }),
  v.object({ type: v.literal("set-back"), setback }),
  v.object({ type: v.literal("blocked"), setback }),
  v.object({ type: v.literal("unapproved"), setback, files: texts, where: v.exactOptional(text) }),
  v.object({
    type: v.literal("paused"),
    reason: v.picklist(["rate-limit", "blocked", "unknown-error"]),
    detail: text,
  }),
  v.object({ type: v.literal("stopped") }),
]);

const result = v.object({
  purpose: v.literal("result"),
  version: v.literal(ENVELOPE_VERSION),
  job: uuid,
  worker: workerName,
  outcome,
  usage,
  evidence: v.array(v.object({ criterion: text, evidence })),
  learnings: v.array(v.object({ kind: v.picklist(LEARNING_KINDS), context: text, text, confidence: amount })),
  /** Kept where it ran, and sent as packs. */
  commits: v.object({ result: orNull(commit), all: orNull(commit), unfinished: orNull(commit) }),
  /** How many messages it wrote before. */
  written: count,
});

export type FleetResult = Readonly<v.InferOutput<typeof result>>;

export function readResult(body: unknown): FleetResult | null {
  const read = v.safeParse(result, body);
  return read.success ? read.output : null;
}

const record = v.object({ follows: count, after: text, at: amount, events: v.array(v.unknown()), sum: text });

const item = v.variant("type", [
  v.object({ type: v.literal("begun"), worker: workerName, place: text }),
  v.object({ type: v.literal("record"), record }),
  /** Without the loop, which the records have. `hasLoop`: drivers of the first version ask for it. */
  v.object({ type: v.literal("news"), hasLoop: flag, news: v.looseObject({ type: text }) }),
  v.object({ type: v.literal("asks"), question: count, failure: text }),
]);

export type FleetNews = v.InferOutput<typeof item>;

const batch = v.object({ purpose: v.literal("news"), job: uuid, position: count, items: v.array(item) });

/** What a worker tells of a job; null: it isn't about that job, or not at this position. */
export function readNews(body: unknown, job: string, position: number): readonly FleetNews[] | null {
  const read = v.safeParse(batch, body);
  return read.success && read.output.job === job && read.output.position === position
    ? read.output.items
    : null;
}

const control = v.object({
  purpose: v.literal("control"),
  job: uuid,
  abort: flag,
  soon: flag,
  waitsUntil: orNull(amount),
  /** The answers so far, by the number of the question. */
  advice: v.array(v.object({ question: count, text: orNull(text) })),
  /** What a person has told its agents since it began. Drivers of the first versions send none. */
  words: v.optional(texts, []),
});

export type FleetControl = Readonly<Omit<v.InferOutput<typeof control>, "purpose" | "job">>;

export const NOTHING_WANTED: FleetControl = {
  abort: false,
  soon: false,
  waitsUntil: null,
  advice: [],
  words: [],
};

export function readControl(body: unknown, job: string): FleetControl | null {
  const read = v.safeParse(control, body);
  return read.success && read.output.job === job ? read.output : null;
}

const MOST_SLOTS = 1_000;

const workerRow = v.object({
  id: v.pipe(
    text,
    v.check((id) => parseFingerprint(id) === id),
  ),
  name: workerName,
  version: text,
  envelopes: v.array(count),
  slots: v.pipe(count, v.maxValue(MOST_SLOTS)),
  busy: count,
  agents: texts,
  labels: texts,
  account: text,
  repositories: texts,
  isDraining: flag,
});

/** What a worker says of itself, and nobody signs; null: it isn't one that wrote it. */
export function readWorker(row: unknown): WorkerRow | null {
  const read = v.safeParse(workerRow, row);
  return read.success ? read.output : null;
}

const introduction = v.object({
  purpose: v.literal("workers"),
  workers: texts,
  /** Of its envelopes. The first programs didn't say. */
  version: v.optional(count, 2),
});

export type Introduction = Readonly<Omit<v.InferOutput<typeof introduction>, "purpose">>;

/** The workers whose results a driver accepts, by their fingerprints; null: it isn't one. */
export function readIntroduction(body: unknown): Introduction | null {
  const read = v.safeParse(introduction, body);
  return read.success ? read.output : null;
}

/** With the versions of its events, so that another version of the program can read them. */
export function sentRecord({ events, ...others }: JournalRecord): v.InferOutput<typeof record> {
  return { ...others, events: events.map((event) => ({ ...event, v: EVENT_VERSION[event.type] })) };
}

/** `newer`: a later version of the program wrote it. `malformed`: none did. */
export function receivedRecord({
  events,
  ...others
}: v.InferOutput<typeof record>): JournalRecord | "newer" | "malformed" {
  const known: LoopEvent[] = [];
  for (const each of events) {
    const parsed = parseEvent(each);
    if (parsed.type !== "event") return parsed.type;
    known.push(parsed.event);
  }
  return { ...others, events: known };
}
