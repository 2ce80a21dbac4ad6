import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import type { WorkflowNews } from "../../views/news/news.ts";
import type { Context } from "./context.ts";
import type { LiveDisplay } from "../../views/live/live-display.ts";
import { liveDisplay } from "../../views/live/live-display.ts";
import { livePlanLines } from "../../views/live/live-plan-lines.ts";
import type { LivePlanNews, LivePlanState } from "../../views/news/live-state.ts";
import { livePlanAfter } from "../../views/news/live-state.ts";

export interface LivePlanView extends Pick<LiveDisplay<LivePlanState>, "terminal" | "end" | "whileAway"> {
  readonly tell: (news: WorkflowNews) => void;
  readonly pausing: () => void;
}

/** The live region of a plan that is worked on: what the run tells, and what its journal says meanwhile. */
export function livePlanView({ machine, terminal }: Context, { live }: LockedLoop): LivePlanView {
  let state: LivePlanState | null = null;
  const display = liveDisplay(terminal, machine.now, livePlanLines);
  const take = (news: LivePlanNews): void => {
    state = livePlanAfter(state, news, machine.now());
    if (news.type === "workflow-ended") display.end();
    else display.show(state);
  };
  const unfollow = live.onChange({
    changed: (loop) => take({ type: "standing", loop }),
    failed: () => undefined,
  });
  return {
    terminal: display.terminal,
    whileAway: display.whileAway,
    end: () => {
      unfollow();
      display.end();
    },
    tell: take,
    pausing: () => {
      state = state === null ? null : { ...state, isPausing: true };
      display.show(state);
    },
  };
}
