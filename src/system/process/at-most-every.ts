export interface Pace {
  /** Does the work now, or as soon as allowed. */
  readonly soon: () => void;
  readonly stop: () => void;
}

/**
 * Does work at most once per `pauseMs`, however often it is asked for, and once more after the last time. Uses a monotonic
 * clock.
 */
export function atMostEvery(work: () => void, pauseMs: number): Pace {
  let doneAt = -Infinity;
  let timer: NodeJS.Timeout | null = null;
  const run = (): void => {
    timer = null;
    doneAt = performance.now();
    work();
  };
  return {
    soon: () => {
      timer ??= setTimeout(run, Math.max(0, doneAt + pauseMs - performance.now())).unref();
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
