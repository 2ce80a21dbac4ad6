import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** How long to wait for output after the exit before ending processes that still hold the pipe. */
const QUIET_MS = 250;
/** For processes that hold the pipe and keep writing. */
const LONGEST_WAIT_MS = 2_000;

export interface Collection {
  /** Resolves when the pipes are closed, or nothing more has come for a while. */
  settled(): Promise<void>;
  stop(): void;
}

export type OutputName = "stdout" | "stderr";

export function collectOutput(
  child: ChildProcess,
  take: (chunk: Buffer, from: OutputName) => void,
): Collection {
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let lastChunkAt = 0;
  for (const from of ["stdout", "stderr"] as const) {
    child[from]?.on("data", (chunk: Buffer) => {
      lastChunkAt = performance.now();
      take(chunk, from);
    });
    child[from]?.on("error", () => {}); // 'close' follows, and says all there is to say
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
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
  };
}
