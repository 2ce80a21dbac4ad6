import type { EVENT_VERSION, LoopEvent } from "../core/event.ts";

/** An event as it was stored, of any version: plain JSON that no schema has seen yet. */
export interface StoredEvent {
  readonly [field: string]: unknown;
}

/** Brings an event of one version to the next. Pure, and total: what makes no sense is for the schema to say. */
type Upcaster = (event: StoredEvent) => StoredEvent;

/** The steps from version 1 to this one: one less than the number. */
type StepsTo<Version extends number, Steps extends readonly Upcaster[] = readonly []> = Version extends [
  ...Steps,
  unknown,
]["length"]
  ? Steps
  : StepsTo<Version, readonly [...Steps, Upcaster]>;

/** A version cannot be raised without the step that leads there: the table would not compile. */
export type UpcastersFor<Versions extends { readonly [Type in keyof Versions]: number }> = {
  readonly [Type in keyof Versions as Versions[Type] extends 1 ? never : Type]: StepsTo<Versions[Type]>;
};

/** By event: from version 1 to 2, from 2 to 3, and so on. A step is never changed once it was released. */
const UPCASTERS: UpcastersFor<typeof EVENT_VERSION> = {
  "loop.opened": [
    (event) => ({ ...event, folder: "" }),
    (event) => ({ ...event, proof: "standard", mayChange: [] }),
    (event) => ({ ...event, attemptOf: null }),
  ],
  // A check says since then how it may be used; without a word it may be used as before.
  "frame.pushed": [(event) => event],
  "criterion.added": [(event) => event],
  "criterion.amended": [(event) => event],
  "loop.completed": [(event) => ({ ...event, why: [], changed: null })],
  // Nobody noted who said it; an unknown speaker counts for no more than an agent.
  "criterion.attested": [(event) => ({ ...event, actor: "agent" })],
  // The first programs gave a loop dollars and iterations only, and did not raise the number when that changed.
  "loop.continued": [(event) => ({ addedTokens: null, addedMinutes: null, ...event })],
};

/** Brings an event of an older version to the form of today. */
export function upcast(type: LoopEvent["type"], version: number, event: StoredEvent): StoredEvent {
  const steps: { readonly [Type in LoopEvent["type"]]?: readonly Upcaster[] } = UPCASTERS;
  return (steps[type] ?? []).slice(version - 1).reduce((form, step) => step(form), event);
}
