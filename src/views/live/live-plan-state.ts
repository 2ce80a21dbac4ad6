import type { Loop } from "../../core/loop/loop.ts";
import type { WorkflowNews } from "../news/workflow-news.ts";
import type { LiveViewState } from "./live-view-state.ts";
import { liveViewAfter } from "./live-view-state.ts";

/** What the live view of a plan shows. */
export interface LivePlanState {
  readonly loop: Loop;
  /** Somebody pressed Ctrl-C: it pauses once the iteration is over. */
  readonly isPausing?: boolean;
  /** What is known of the attempts that run, by their tasks. */
  readonly attempts: ReadonlyMap<string, LiveViewState>;
}

/** What the run of a plan tells, and what its journal says beside it. */
export type LivePlanNews = WorkflowNews | { readonly type: "standing"; readonly loop: Loop };

/** Before a run has begun there is nothing to show. */
export function livePlanAfter(
  state: LivePlanState | null,
  news: LivePlanNews,
  at: number,
): LivePlanState | null {
  if (news.type === "workflow-began") return { loop: news.loop, attempts: new Map() };
  if (state === null) return null;
  if (news.type === "attempt-news") {
    const seen = liveViewAfter(state.attempts.get(news.task) ?? null, news.news, at);
    return seen === null ? state : { ...state, attempts: new Map([...state.attempts, [news.task, seen]]) };
  }
  if (!("loop" in news)) return state;
  const isOver = news.type === "attempt-finished" || news.type === "set-back";
  const attempts = isOver
    ? new Map([...state.attempts].filter(([task]) => task !== news.task.id))
    : state.attempts;
  return { ...state, loop: news.loop, attempts };
}
