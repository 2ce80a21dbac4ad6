import { displayWidth } from "../../system/text/display-width.ts";
import { atMostEvery } from "../../system/process/timers.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The part of a terminal that drawing needs. */
interface Screen {
  readonly columns: number;
  readonly rows: number;
  readonly write: (text: string) => unknown;
}

/** Lines at the bottom of the terminal, redrawn in place below the scrolling output. */
interface LiveRegion {
  readonly show: (lines: readonly string[]) => void;
  /** Prints text that stays, above the region. */
  readonly print: (text: string, lines?: readonly string[]) => void;
  /** Erases the region and restores the cursor. */
  readonly remove: () => void;
  /** Restores the cursor and leaves the region on screen. */
  readonly leave: () => void;
}

const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
/** If the width was guessed wrong, a line is cut off but the ones below stay in place. */
const WRAP_OFF = "\u001b[?7l";
const WRAP_ON = "\u001b[?7h";
/** Terminals that support these show everything between them at once; others ignore them. */
const FRAME_BEGINS = "\u001b[?2026h";
const FRAME_ENDS = "\u001b[?2026l";
const ERASE_LINE_END = "\u001b[K";
const ERASE_BELOW = "\u001b[J";

export function createLiveRegion(screen: Screen): LiveRegion {
  let shown: readonly string[] = [];
  let columns = screen.columns;
  let isHiding = false;

  /** Moves to the region's first line. A terminal that got narrower has wrapped lines that no longer fit. */
  const back = (): string => {
    const height = shown.reduce((sum, line) => sum + heightOf(line, screen.columns), 0);
    return height === 0 ? "\r" : `\r\u001b[${height}A`;
  };
  const draw = (lines: readonly string[]): string => {
    shown = lines;
    ({ columns } = screen);
    if (lines.length === 0) return "";
    const cursor = isHiding ? "" : HIDE_CURSOR;
    isHiding = true;
    return `${cursor}${WRAP_OFF}${lines.map((line) => `${line}${ERASE_LINE_END}\n`).join("")}${ERASE_BELOW}${WRAP_ON}`;
  };
  const end = (erasing: string): void => {
    if (isHiding) screen.write(`${erasing}${SHOW_CURSOR}`);
    shown = [];
    isHiding = false;
  };
  return {
    show: (lines) => {
      const isSame = lines.length === shown.length && lines.every((line, index) => line === shown[index]);
      const isResized = columns !== screen.columns;
      if (isSame && !isResized) return;
      // A terminal keeps wrapped lines joined until they are erased, whatever is written over them.
      const erasing = isResized ? ERASE_BELOW : "";
      screen.write(`${FRAME_BEGINS}${back()}${erasing}${draw(lines)}${FRAME_ENDS}`);
    },
    print: (text, lines = shown) => {
      if (shown.length === 0) return void screen.write(`${text}\n`);
      return void screen.write(`${FRAME_BEGINS}${back()}${ERASE_BELOW}${text}\n${draw(lines)}${FRAME_ENDS}`);
    },
    remove: () => end(`${back()}${ERASE_BELOW}`),
    leave: () => end(`\r${ERASE_BELOW}`),
  };
}

function heightOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(displayWidth(line) / Math.max(1, columns)));
}

/** Gives the terminal its cursor back before anything ends or suspends the process. Returns a function that removes the guard. */
function guardCursor(
  region: { readonly remove: () => void; readonly leave: () => void },
  goOn: () => void,
): () => void {
  const onExit = (): void => region.leave();
  const onQuit = (): void => {
    region.leave();
    lift();
    process.kill(process.pid, "SIGQUIT");
  };
  const onSuspend = (): void => {
    region.remove();
    process.kill(process.pid, "SIGSTOP");
  };
  const lift = (): void => {
    process.off("exit", onExit);
    process.off("SIGQUIT", onQuit);
    process.off("SIGTSTP", onSuspend);
    process.off("SIGCONT", goOn);
  };
  process.on("exit", onExit);
  process.on("SIGQUIT", onQuit);
  process.on("SIGTSTP", onSuspend);
  process.on("SIGCONT", goOn);
  return lift;
}

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
