import { setTimeout as sleep } from "node:timers/promises";
import { troubleWith } from "./database-trouble.ts";

export interface Patience {
  readonly signal: AbortSignal;
  /** Called when the fleet's database can't be used, with what it does, and with null when it answers again. */
  readonly outage: (why: string | null) => void;
}

/** Once when an outage begins, and once when it is over, whoever notices it. */
export function onceForAll(tell: (why: string | null) => void): Patience["outage"] {
  let isAway = false;
  return (why) => {
    if (isAway === (why !== null)) return;
    isAway = why !== null;
    tell(why);
  };
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 1_000;

/** Everybody waits while the database is away, and then goes on. Throws only after the signal. */
export async function patiently<Value>(
  { signal, outage }: Patience,
  ask: () => Promise<Value>,
): Promise<Value> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      const value = await ask();
      if (wait > FIRST_WAIT_MS) outage(null);
      return value;
    } catch (error) {
      if (signal.aborted) throw error;
      // One broken connection isn't an outage.
      if (wait > FIRST_WAIT_MS) outage(troubleWith(error));
      await sleep(wait, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Runs something again and again until it is stopped: at the latest after a while, and soon after it was asked to. */
export class Pulse {
  readonly #beat: () => Promise<void>;
  readonly #everyMs: number;
  readonly #stopped = new AbortController();
  #isAsked = false;
  #rest = new AbortController();
  #running: Promise<void> | null = null;

  constructor(everyMs: number, beat: () => Promise<void>) {
    this.#everyMs = everyMs;
    this.#beat = beat;
  }

  start(): void {
    if (this.#running !== null) return;
    this.#running = this.#run();
    // Whoever stops it hears of it; until then it must not end the process.
    this.#running.catch(() => undefined);
  }

  soon(): void {
    this.#isAsked = true;
    this.#rest.abort();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#rest.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      this.#isAsked = false;
      this.#rest = new AbortController();
      await this.#beat();
      if (this.#isAsked) continue;
      await sleep(this.#everyMs, undefined, { signal: this.#rest.signal }).catch(() => undefined);
    }
  }
}
