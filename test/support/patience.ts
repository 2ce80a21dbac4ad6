import { setTimeout as sleep } from "node:timers/promises";

/** How long a test waits for what has to happen. It names a hang and measures nothing: the machines of CI are busy. */
export const PATIENCE_MS = process.env["CI"] === undefined ? 50_000 : 200_000;

/** For `expect.poll` and `vi.waitFor`. */
export const PATIENT = { timeout: PATIENCE_MS, interval: 20 };

export async function until(holds: () => boolean, what: string, everyMs = 20): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`never: ${what}`);
    await sleep(everyMs);
  }
}
