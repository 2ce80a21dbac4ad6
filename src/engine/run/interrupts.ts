import type { EventOf } from "../../core/events/event.ts";

/** What the person at the terminal wants: once, to pause after this iteration; twice, to stop now. */
export interface Interrupts {
  readonly asked: () => boolean;
  readonly now: AbortSignal;
}

export const NO_INTERRUPTS: Interrupts = { asked: () => false, now: new AbortController().signal };

/** What the journal records for it. */
export const INTERRUPTED: EventOf<"loop.paused"> = {
  type: "loop.paused",
  reason: "user",
  detail: "interrupted",
  by: "person",
};
