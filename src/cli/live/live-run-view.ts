import type { ChosenLoop } from "../../loops/find-loop.ts";
import type { LiveNews } from "../../run/live-note.ts";
import { followLoop } from "../../run/follow-loop.ts";
import type { Context } from "../context.ts";
import type { LiveDisplay } from "./live-display.ts";
import { liveDisplay } from "./live-display.ts";
import type { LiveViewState } from "./live-view-state.ts";
import { liveViewAfter } from "./live-view-state.ts";

export interface LiveRunView extends Omit<LiveDisplay, "show"> {
  readonly tell: (news: LiveNews) => void;
}

/** The live region of a run: what the run tells, and what others write into the loop's journal meanwhile. */
export function liveRunView({ machine, terminal }: Context, { standing, id }: ChosenLoop): LiveRunView {
  const look = followLoop(machine, standing.project, id);
  let state: LiveViewState | null = null;
  const tell = (news: LiveNews): void => {
    state = liveViewAfter(state, news, machine.now());
    if (news.type === "ended") display.end();
    else display.show(state);
  };
  const display = liveDisplay(terminal, {
    now: machine.now,
    onTick: () => {
      const found = state === null ? null : look();
      if (found?.type === "loop") tell({ type: "standing", loop: found.standing.loop });
    },
  });
  return { terminal: display.terminal, whileAway: display.whileAway, end: display.end, tell };
}
