import { readSigned } from "./keys.ts";
import { ENVELOPE_VERSION } from "./envelopes.ts";
import { readIntroduction, type Introduction } from "./introductions.ts";
import { accountOf, queueFor, queueOfWorker } from "./queues.ts";
import type { WorkerOptions } from "./worker-options.ts";

/** Whoever may write into the database can be any number of them. */
const MOST_STRANGERS = 10;

/** The queues that a worker may take from now: of the drivers that accept its results, for the agents that don't wait for a limit. */
export class OpenQueues {
  readonly #options: WorkerOptions;
  /** The drivers that accept this worker's results. */
  #drivers: readonly string[] = [];
  readonly #otherVersions = new Set<string>();
  readonly #strangers = new Set<string>();
  #limits: ReadonlyMap<string, number> = new Map();

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** What only this worker can resume comes first. */
  names(): readonly string[] {
    const { repositories, agents, labels, signer } = this.#options;
    const free = agents.filter((agent) => this.waitsUntil(agent) === null);
    return this.#drivers.flatMap((driver) =>
      [...repositories.keys()].flatMap((repository) => {
        const wanted = { driver, repository };
        const own = queueOfWorker(wanted, signer.fingerprint);
        return [
          own,
          ...free.flatMap((agent) => [...labels, null].map((label) => queueFor(wanted, agent, label))),
        ];
      }),
    );
  }

  /** Until when the account of an agent waits; null: it doesn't. */
  waitsUntil(agent: string): number | null {
    const { machine, account } = this.#options;
    const until = this.#limits.get(accountOf(agent, account)) ?? 0;
    return until > machine.now() ? until : null;
  }

  async limit(agent: string, until: number): Promise<void> {
    const { engine, account } = this.#options;
    this.#limits = new Map([...this.#limits, [accountOf(agent, account), until]]);
    await engine.limit(accountOf(agent, account), until).catch(() => undefined);
  }

  /** Reads the rows again. True: more drivers than before accept this worker. */
  async look(): Promise<boolean> {
    const { engine, drivers, signer } = this.#options;
    this.#limits = await engine.limits();
    const before = this.#drivers.length;
    this.#drivers = (await engine.introductions()).flatMap((text) => {
      const message = readSigned(text);
      const introduction = readIntroduction(message?.body);
      if (message === null || introduction?.workers.includes(signer.fingerprint) !== true) return [];
      if (!drivers.has(message.by)) {
        this.#tellOfStranger(message.by);
        return [];
      }
      this.#tellIfOther(message.by, introduction);
      return [message.by];
    });
    return this.#drivers.length > before;
  }

  /** Once: it waits for this worker in vain. */
  #tellOfStranger(driver: string): void {
    if (this.#strangers.has(driver) || this.#strangers.size >= MOST_STRANGERS) return;
    this.#strangers.add(driver);
    this.#options.tell({ type: "stranger", driver });
  }

  /** Once: nobody would give it anything to do. */
  #tellIfOther(driver: string, { version }: Introduction): void {
    const key = `${driver} ${version}`;
    if (version === ENVELOPE_VERSION || this.#otherVersions.has(key)) return;
    this.#otherVersions.add(key);
    this.#options.tell({ type: "other-version", driver, version });
  }
}
