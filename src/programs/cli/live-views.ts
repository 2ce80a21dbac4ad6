import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { WorkflowNews } from "../../views/news/news.ts";
import type { LiveNews, LiveViewState, LivePlanNews, LivePlanState } from "../../views/news/live-state.ts";
import type { Context } from "./context.ts";
import { liveDisplay, type LiveDisplay } from "../../views/live/live-region.ts";
import { liveLines } from "../../views/live/live-lines.ts";
import { liveViewAfter, livePlanAfter } from "../../views/news/live-state.ts";
import { livePlanLines } from "../../views/live/live-plan-lines.ts";

interface LiveRunView extends Omit<LiveDisplay<LiveViewState>, "show"> {
  readonly tell: (news: LiveNews) => void;
  readonly pausing: () => void;
}

/** The live region of a run: what the run reports, and what others write to the loop's journal meanwhile. */
export function liveRunView({ machine, terminal }: Context, { live }: KnownLoop): LiveRunView {
  let state: LiveViewState | null = null;
  const tell = (news: LiveNews): void => {
    state = liveViewAfter(state, news, machine.now());
    if (news.type === "ended") display.end();
    else display.show(state);
  };
  const display = liveDisplay(terminal, machine.now, liveLines);
  const unfollow = live.onChange({
    changed: (loop) => {
      if (state !== null) tell({ type: "standing", loop });
    },
    failed: () => undefined,
  });
  return {
    terminal: display.terminal,
    whileAway: display.whileAway,
    end: () => {
      unfollow();
      display.end();
    },
    tell,
    pausing: () => {
      state = state === null ? null : { ...state, isPausing: true };
      display.show(state);
    },
  };
}

export interface LivePlanView extends Pick<LiveDisplay<LivePlanState>, "terminal" | "end" | "whileAway"> {
  readonly tell: (news: WorkflowNews) => void;
  readonly pausing: () => void;
}

/** The live region of a plan that is worked on: what the run tells, and what its journal says meanwhile. */
export function livePlanView({ machine, terminal }: Context, { live }: KnownLoop): LivePlanView {
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
