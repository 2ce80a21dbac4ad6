import * as v from "valibot";
import { count, flag, text, texts } from "../../storage/journal/schema-parts.ts";
import type { WorkerRow } from "./fleet-engine.ts";
import { parseFingerprint } from "./keys.ts";

/** People read it, and paste it into commands. */
export const WORKER_NAME = /^[A-Za-z0-9][\w-]{0,39}$/;
export const workerName = v.pipe(text, v.regex(WORKER_NAME));

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
  drivers: v.exactOptional(texts),
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
