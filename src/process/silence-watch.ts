import { LONGEST_TIMER_MS } from "./first-ending.ts";

export interface SilenceWatch {
  heard(): void;
  stop(): void;
}

/** Calls back once when nothing was heard for so long. */
export function watchSilence(limitMs: number, onSilence: () => void): SilenceWatch {
  let heardAt = performance.now();
  let immediate: NodeJS.Immediate | undefined;
  let timer = setTimeout(look, Math.min(limitMs, LONGEST_TIMER_MS));

  // We may have been held up or stopped ourselves. What lies in the pipes by now is read before an immediate runs.
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
