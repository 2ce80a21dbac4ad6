import * as v from "valibot";
import { EVENT_VERSION, type LoopEvent } from "../../core/events/event.ts";
import { LEARNING_KINDS } from "../../core/loop/recall.ts";
import { parseEvent } from "../../storage/journal/event-schema.ts";
import type { JournalRecord } from "../../storage/journal/record.ts";
import {
  amount,
  commit,
  confidence,
  count,
  evidence,
  flag,
  orNull,
  text,
  texts,
} from "../../storage/journal/schema-parts.ts";
import { setback } from "../../storage/journal/workflow-schema.ts";
import type { AttemptOutcome } from "../plan/executor.ts";
import { ENVELOPE_VERSION, uuid } from "./envelopes.ts";
import { workerName } from "./introductions.ts";

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
