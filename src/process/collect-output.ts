import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { CappedOutput } from "./capped-output.ts";

/** How long output may stay away after the exit until those who still hold the pipe are ended. */
const QUIET_MS = 250;
/** For those who hold the pipe and go on writing. */
const LONGEST_WAIT_MS = 2_000;

export interface Collection {
  /** Resolves when the pipes are closed, or nothing more has come for a while. */
  settled(): Promise<void>;
  stop(): void;
}

export function collectOutput(child: ChildProcess, output: CappedOutput): Collection {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let lastChunkAt = 0;
  for (const stream of streams) {
    stream.on("data", (chunk: Buffer) => {
      lastChunkAt = performance.now();
      output.append(chunk);
    });
    stream.on("error", () => {}); // 'close' follows, and says all there is to say
  }

  async function silence(signal: AbortSignal): Promise<void> {
    const waitingSince = performance.now();
    for (;;) {
      const now = performance.now();
      const quietAt = Math.max(lastChunkAt, waitingSince) + QUIET_MS;
      const waitMs = Math.min(quietAt, waitingSince + LONGEST_WAIT_MS) - now;
      if (waitMs <= 0) return;
      await sleep(waitMs, undefined, { signal });
    }
  }

  return {
    async settled() {
      const waiting = new AbortController();
      const silent = silence(waiting.signal).catch(() => {});
      await Promise.race([closed, silent]);
      waiting.abort();
    },
    stop() {
      for (const stream of streams) stream.destroy();
    },
  };
}
