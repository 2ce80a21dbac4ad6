import type { Machine } from "../../storage/loops/machine.ts";
import type { FleetEngine, SeenWorker } from "./fleet-engine.ts";
import { pinnedKeys, type Signer } from "./keys.ts";
import { ENVELOPE_VERSION } from "./messages.ts";
import { accountOf } from "./queues.ts";

interface RosterOptions {
  readonly engine: FleetEngine;
  readonly machine: Machine;
  readonly repository: string;
  readonly signer: Signer;
  readonly label: string | null;
  readonly times: { readonly leaseMs: number };
  readonly tell: (sentence: string) => void;
}

const OFTEN = 6;

/** Who works for a driver, as far as the rows say. It decides nothing but how much is asked for at once. */
export class Roster {
  readonly #options: RosterOptions;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #workers: readonly SeenWorker[] = [];
  #limits: ReadonlyMap<string, number> = new Map();
  #told: string | null = null;
  #introduced = "";

  constructor(options: RosterOptions) {
    this.#options = options;
  }

  get slots(): number {
    return this.#workers.reduce((sum, { slots, isDraining }) => sum + (isDraining ? 0 : slots), 0);
  }

  /** Every account of an agent that somebody here could use waits for its usage limit. */
  areAllLimited(agent: string): boolean {
    const accounts = this.#workers
      .filter(({ agents }) => agents.includes(agent))
      .map(({ account }) => accountOf(agent, account));
    const now = this.#options.machine.now();
    return accounts.every((each) => (this.#limits.get(each) ?? 0) > now);
  }

  async look(): Promise<void> {
    const { engine, machine, signer, times } = this.#options;
    if (machine.now() - this.#lookedAt < times.leaseMs / OFTEN) return;
    const accepted = pinnedKeys(machine.home, "workers");
    const workers = [...accepted.keys()].toSorted();
    const introduced = workers.join(" ");
    if (introduced !== this.#introduced || this.#lookedAt === Number.NEGATIVE_INFINITY)
      await engine.introduce(signer.fingerprint, signer.sign({ purpose: "workers", workers }));
    this.#introduced = introduced;
    await engine.endLeases();
    const seen = (await engine.workers()).filter(({ seenMsAgo }) => seenMsAgo < times.leaseMs);
    this.#limits = await engine.limits();
    this.#workers = seen.filter((each) => accepted.has(each.id) && this.#fits(each));
    this.#lookedAt = machine.now();
    this.#tellIfNobody(seen, accepted);
  }

  #fits({ repositories, labels, envelopes }: SeenWorker): boolean {
    const { repository, label } = this.#options;
    return (
      repositories.includes(repository) &&
      (label === null || labels.includes(label)) &&
      envelopes.includes(ENVELOPE_VERSION)
    );
  }

  /** Once, until somebody comes. */
  #tellIfNobody(seen: readonly SeenWorker[], accepted: ReadonlyMap<string, string>): void {
    const why = this.#workers.length > 0 ? null : this.#whyNobody(seen, accepted);
    if (why !== null && why !== this.#told) this.#options.tell(why);
    this.#told = why;
  }

  #whyNobody(seen: readonly SeenWorker[], accepted: ReadonlyMap<string, string>): string {
    const { signer, repository } = this.#options;
    const start = `loop worker --fleet URL --accept ${signer.fingerprint}`;
    const here = seen.filter(({ repositories }) => repositories.includes(repository));
    const stranger = here.find(({ id }) => !accepted.has(id));
    const old = here.find(({ envelopes }) => !envelopes.includes(ENVELOPE_VERSION));
    if (stranger !== undefined)
      return `The worker ${stranger.name} waits to be accepted: loop fleet trust ${stranger.name} ${stranger.id}`;
    if (old !== undefined)
      return `The worker ${old.name} has loopwright ${old.version}, which doesn't understand envelope ${ENVELOPE_VERSION}; update it.`;
    if (here.length > 0) return `No worker has the label ${this.#options.label ?? ""}.`;
    return `No worker is there for this repository; start one in another clone of it: ${start}`;
  }
}
