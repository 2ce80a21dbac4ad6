const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export type EndingSignal = keyof typeof CODES;

let handle = (signal: EndingSignal): void => process.exit(CODES[signal]);

/** Exiting ends the checks that are running; a signal's default would leave them behind. */
export function exitOnSignals(): void {
  for (const signal of Object.keys(CODES) as EndingSignal[]) process.on(signal, () => handle(signal));
}

/** Whoever has work to finish first answers signals from now on. */
export function answerSignals(answer: (signal: EndingSignal) => void): void {
  handle = answer;
}
