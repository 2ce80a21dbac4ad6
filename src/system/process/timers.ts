import { LONGEST_TIMER_MS } from "./start-command.ts";

interface Pace {
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

interface SilenceWatch {
  heard(): void;
  stop(): void;
}

/** Calls back once after this much silence. */
export function watchSilence(limitMs: number, onSilence: () => void): SilenceWatch {
  let heardAt = performance.now();
  let immediate: NodeJS.Immediate | undefined;
  let timer = setTimeout(look, Math.min(limitMs, LONGEST_TIMER_MS));

  // We may have been delayed or stopped ourselves. An immediate runs after the pipes are read.
  function look(): void {
    immediate = setImmediate(() => {
      const leftMs = heardAt + limitMs - performance.now();
      if (leftMs <= 0) onSilence();
      else timer = setTimeout(look, Math.min(leftMs, LONGEST_TIMER_MS));
    });
  }

  return {
    heard() {
      heardAt = performance.now();
    },
    stop() {
      clearTimeout(timer);
      clearImmediate(immediate);
    },
  };
}
