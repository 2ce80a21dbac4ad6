import { LONGEST_TIMER_MS } from "./first-ending.ts";

export interface SilenceWatch {
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
