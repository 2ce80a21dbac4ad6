import { atMostEvery } from "../../system/process/timers.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { createLiveRegion, guardCursor, type Screen } from "./live-region.ts";

const SHORTEST_FRAME_MS = 250;
const CLOCK_MS = 1_000;
/** Some terminals don't report their size. */
const USUAL_COLUMNS = 80;
const USUAL_ROWS = 24;
/** Longer lines aren't easier to read, and wrap more often when a window gets narrower. */
const MOST_COLUMNS = 100;

/** A terminal with a live region at its bottom. */
export interface LiveDisplay<State> {
  /** Prints above the region. */
  readonly terminal: Terminal;
  readonly show: (state: State | null) => void;
  /** The terminal is somebody else's while they ask. */
  readonly whileAway: <Value>(work: () => Promise<Value>) => Promise<Value>;
  readonly end: () => void;
}

/** Whether there is a terminal to draw on, with a person in front of it. */
export function canShowLive(terminal: Terminal, env: NodeJS.ProcessEnv): boolean {
  const isCi = !["", "0", "false"].includes(env["CI"] ?? "");
  return terminal.isInteractive && env["TERM"] !== "dumb" && !isCi;
}

/** The view as lines: none is wider than `width`, and all of them are fewer than the terminal's rows. */
export type LinesOf<State> = (
  state: State,
  width: number,
  rows: number,
  now: number,
  paint?: Terminal["paint"],
) => readonly string[];

export function liveDisplay<State>(
  terminal: Terminal,
  now: () => number,
  asLines: LinesOf<State>,
): LiveDisplay<State> {
  const { stdout } = process;
  const screen: Screen = {
    get columns() {
      return stdout.columns || USUAL_COLUMNS;
    },
    get rows() {
      return stdout.rows || USUAL_ROWS;
    },
    write: (text) => stdout.write(text),
  };
  const region = createLiveRegion(screen);
  let state: State | null = null;
  let isAway = false;

  const linesOf = (shown: State): readonly string[] => {
    // The last column stays free: what terminals do after writing to it differs.
    const width = Math.min(screen.columns - 1, MOST_COLUMNS);
    return asLines(shown, width, screen.rows, now(), terminal.paint);
  };
  const drawing = atMostEvery(() => {
    if (state !== null && !isAway) region.show(linesOf(state));
  }, SHORTEST_FRAME_MS);
  const print = (text: string): void => region.print(text, state === null ? [] : linesOf(state));
  const leaveTerminal = (): void => {
    isAway = true;
    region.remove();
  };
  const clock = setInterval(drawing.soon, CLOCK_MS).unref();
  stdout.on("resize", drawing.soon);
  const liftGuard = guardCursor(region, drawing.soon);
  return {
    terminal: { ...terminal, print, complain: print },
    show: (next) => {
      state = next;
      drawing.soon();
    },
    whileAway: async (work) => {
      leaveTerminal();
      try {
        return await work();
      } finally {
        isAway = false;
        drawing.soon();
      }
    },
    end: () => {
      leaveTerminal();
      clearInterval(clock);
      drawing.stop();
      stdout.off("resize", drawing.soon);
      liftGuard();
    },
  };
}
