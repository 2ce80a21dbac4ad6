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
