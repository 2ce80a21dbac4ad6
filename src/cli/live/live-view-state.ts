import type { Loop } from "../../core/loop.ts";
import type { LiveNews, LiveNote } from "../../run/live-note.ts";
import { noteAfter, quietNote } from "../../run/live-note.ts";

/** What the live view shows. */
export interface LiveViewState {
  readonly loop: Loop;
  /** What people call the agent; null when nobody works on the loop. */
  readonly agent: string | null;
  /** null: nothing is known of what it does just now. */
  readonly note: LiveNote | null;
  /** The process that drove it is gone, and the loop still active. */
  readonly abandoned: boolean;
}

/** Before a run has begun there is nothing to show. */
export function liveViewAfter(state: LiveViewState | null, news: LiveNews, at: number): LiveViewState | null {
  if (news.type === "began") {
    return { loop: news.loop, agent: news.agent, note: quietNote(at), abandoned: false };
  }
  if (state === null) return null;
  return {
    ...state,
    loop: "loop" in news ? news.loop : state.loop,
    note: noteAfter(state.note ?? quietNote(at), news, at),
  };
}
