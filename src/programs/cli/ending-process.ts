import { writeSync, closeSync } from "node:fs";
import { isatty } from "node:tty";

/** The exit code after Ctrl-C. */
export const INTERRUPTED = 130;

const CODES = { SIGINT: INTERRUPTED, SIGTERM: 143, SIGHUP: 129 } as const;

export type EndingSignal = keyof typeof CODES;

let handle = (signal: EndingSignal): void => process.exit(CODES[signal]);

/** Exits on a signal, which ends running checks; the default would leave them behind. */
export function exitOnSignals(): void {
  for (const signal of Object.keys(CODES) as EndingSignal[]) process.on(signal, () => handle(signal));
}

/** From now on, the caller handles signals, because it has work to finish first. */
export function answerSignals(answer: (signal: EndingSignal) => void): void {
  handle = answer;
}

let areNeeded = true;

/** A reader may stop reading (`loop log | head`): then the program ends, without an error. */
export function endWithReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (!areNeeded) return;
      if (error.code === "EPIPE") process.exit(0);
      complain(`loop: cannot write the output (${error.code ?? "unknown"}).\n`);
      process.exit(1);
    });
  }
}

/** For work that must outlive its reader: a closed pipe or terminal doesn't end it. */
export function goOnWithoutReaders(): void {
  areNeeded = false;
}

/** Writes directly, since one of the streams has just failed. */
function complain(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // there is nobody left to tell
  }
}

const STANDARD_STREAMS = [0, 1, 2];

/**
 * At its end, Node restores the settings of the terminal that it was started in, and aborts if that terminal was closed meanwhile.
 * It leaves alone what is closed.
 */
export function endWithoutTerminal(): void {
  const terminals = STANDARD_STREAMS.filter(isatty);
  process.once("exit", () => {
    for (const each of terminals) if (!isatty(each)) closeQuietly(each);
  });
}

function closeQuietly(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // it is closed already
  }
}
