import type { EVENT_VERSION, LoopEvent } from "../../core/events/event.ts";

/** A stored event of any version: plain JSON, not yet checked by a schema. */
export interface StoredEvent {
  readonly [field: string]: unknown;
}

/** Converts an event from one version to the next. Pure and total: the schema reports invalid data. */
type Upcaster = (event: StoredEvent) => StoredEvent;

/** The steps from version 1 to this one: one less than the number. */
type StepsTo<Version extends number, Steps extends readonly Upcaster[] = readonly []> = Version extends [
  ...Steps,
  unknown,
]["length"]
  ? Steps
  : StepsTo<Version, readonly [...Steps, Upcaster]>;

/** Raising a version without adding its step doesn't compile. */
export type UpcastersFor<Versions extends { readonly [Type in keyof Versions]: number }> = {
  readonly [Type in keyof Versions as Versions[Type] extends 1 ? never : Type]: StepsTo<Versions[Type]>;
};

/** By event: from version 1 to 2, from 2 to 3, and so on. A released step never changes. */
const UPCASTERS: UpcastersFor<typeof EVENT_VERSION> = {
  "loop.opened": [
    (event) => ({ ...event, folder: "" }),
    (event) => ({ ...event, proof: "standard", mayChange: [] }),
    (event) => event,
    (event) => ({ ...event, attemptOf: null }),
    (event) => ({ ...event, proofBudgetMs: null }),
  ],
  // A check says since then how it may be used, and since later where it runs; without a word it is used and run as before.
  "frame.pushed": [(event) => event, (event) => event],
  "criterion.added": [(event) => event, (event) => event],
  "criterion.amended": [(event) => event, (event) => event],
  "loop.completed": [(event) => ({ ...event, why: [], changed: null })],
  // The actor wasn't recorded; an unknown actor counts as the agent.
  "criterion.attested": [(event) => ({ ...event, actor: "agent" })],
  // The first programs added only dollars and iterations, and didn't raise the number when that changed.
  "loop.continued": [(event) => ({ addedTokens: null, addedMinutes: null, ...event })],
  // A charge for several turns didn't say what the dearest of them was.
  "cost.charged": [(event) => event],
  // There were fewer kinds of proofs.
  // Then: what ran for a proof was only told to the agent.
  "proof.shown": [(event) => event, (event) => event],
  // Each attempt had the whole plan's limit of tokens.
  "attempt.started": [(event) => ({ ...event, reservedTokens: null })],
  // Nobody compared a result with what its checks had run on.
  "attempt.finished": [(event) => ({ ...event, doubts: [] })],
  // Which checks failed after a merge was in the words alone.
  "attempt.set-back": [(event) => ({ ...event, setback: withoutFailing(event["setback"]) })],
  "merge.ended": [
    (event) => ({
      ...event,
      setBack: eachOf(event["setBack"], (each) =>
        isObject(each) ? { ...each, setback: withoutFailing(each["setback"]) } : each,
      ),
    }),
    // What passed after a merge wasn't recorded.
    (event) => event,
  ],
  // Findings that quoted nothing of the diff were only counted.
  "wave.reviewed": [(event) => event],
  "work.reviewed": [(event) => event],
};

function withoutFailing(setback: unknown): unknown {
  return isObject(setback) ? { ...setback, failing: [] } : setback;
}

function isObject(value: unknown): value is StoredEvent {
  return typeof value === "object" && value !== null;
}

function eachOf(value: unknown, change: (each: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(change) : value;
}

/** Converts an event of an older version to today's form. */
export function upcast(type: LoopEvent["type"], version: number, event: StoredEvent): StoredEvent {
  const steps: { readonly [Type in LoopEvent["type"]]?: readonly Upcaster[] } = UPCASTERS;
  return (steps[type] ?? []).slice(version - 1).reduce((form, step) => step(form), event);
}
