export interface Pace {
  /** Has the work done, now or as soon as it may be. */
  readonly soon: () => void;
  readonly stop: () => void;
}

/**
 * Does work at most once in `pauseMs`, however often it is asked for, and once more after the last time. Reckoned by a
 * clock that nobody can set.
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
