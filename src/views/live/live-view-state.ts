import type { Loop } from "../../core/loop/loop.ts";
import type { LiveNews, LiveNote } from "../news/live-note.ts";
import { noteAfter, quietNote } from "../news/live-note.ts";

/** What the live view shows. */
export interface LiveViewState {
  readonly loop: Loop;
  /** Somebody pressed Ctrl-C: it pauses once the iteration is over. */
  readonly isPausing?: boolean;
  /** The agent's display name; null when nobody works on the loop. */
  readonly agent: string | null;
  /** null: unknown what it is doing right now. */
  readonly note: LiveNote | null;
  /** The process that drove it is gone, but the loop is still active. */
  readonly abandoned: boolean;
}

/** Nothing to show before a run has begun. */
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
