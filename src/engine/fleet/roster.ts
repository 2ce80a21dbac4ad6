import type { Machine } from "../../storage/loops/machine.ts";
import { listed } from "../../core/listed.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { FleetEngine, SeenWorker } from "./fleet-engine.ts";
import { pinnedKeys, type Signer } from "./keys.ts";
import { ENVELOPE_VERSION } from "./envelopes.ts";
import { readWorker } from "./introductions.ts";
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
const MOST_NAMED = 3;

/** Those that introduce themselves as workers do. */
export async function seenWorkers(engine: Pick<FleetEngine, "workers">): Promise<readonly SeenWorker[]> {
  return (await engine.workers()).flatMap(({ row, seenMsAgo }) => {
    const worker = readWorker(row);
    return worker === null ? [] : [{ ...worker, seenMsAgo }];
  });
}

/** Who works for a driver, as far as the rows say. It decides nothing but how much is asked for at once. */
export class Roster {
  readonly #options: RosterOptions;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #workers: readonly SeenWorker[] = [];
  #limits: ReadonlyMap<string, number> = new Map();
  #told: string | null = null;
  readonly #wanted: string[] = [];
  /** What was said of workers that can't be used. */
  readonly #unusable = new Set<string>();
  #introduced = "";

  constructor(options: RosterOptions) {
    this.#options = options;
  }

  get slots(): number {
    return this.#workers.reduce((sum, { slots, isDraining }) => sum + (isDraining ? 0 : slots), 0);
  }

  /** Somebody is to run this agent, until that is over. */
  async wanting<Value>(agent: string, work: () => Promise<Value>): Promise<Value> {
    this.#wanted.push(agent);
    try {
      return await work();
    } finally {
      this.#wanted.splice(this.#wanted.indexOf(agent), 1);
    }
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
    // A clock that is set back would stop it.
    if (performance.now() - this.#lookedAt < times.leaseMs / OFTEN) return;
    const accepted = pinnedKeys(machine.home, "workers");
    const workers = [...accepted.keys()].toSorted();
    const introduced = workers.join(" ");
    if (introduced !== this.#introduced || this.#lookedAt === Number.NEGATIVE_INFINITY)
      await engine.introduce(
        signer.fingerprint,
        signer.sign({ purpose: "workers", version: ENVELOPE_VERSION, workers }),
      );
    this.#introduced = introduced;
    await engine.endLeases();
    const seen = (await seenWorkers(engine)).filter(({ seenMsAgo }) => seenMsAgo < times.leaseMs);
    this.#limits = await engine.limits();
    this.#workers = seen.filter((each) => accepted.has(each.id) && this.#fits(each));
    this.#lookedAt = performance.now();
    for (const each of seen) if (accepted.has(each.id)) this.#tellIfUnusable(each);
    this.#tellIfNobody(seen, accepted);
  }

  /** Each sentence once: it would wait in vain. */
  #tellIfUnusable(worker: SeenWorker): void {
    if (!worker.repositories.includes(this.#options.repository)) return;
    const why = !worker.envelopes.includes(ENVELOPE_VERSION)
      ? otherVersionText(worker)
      : this.#isAcceptedBy(worker)
        ? null
        : `The worker ${worker.name} doesn't run what you sign; start it with: loop worker --accept ${this.#options.signer.fingerprint}`;
    if (why === null || this.#unusable.has(why)) return;
    this.#unusable.add(why);
    this.#options.tell(why);
  }

  #isAcceptedBy({ drivers }: SeenWorker): boolean {
    return drivers?.includes(this.#options.signer.fingerprint) !== false;
  }

  #fits(worker: SeenWorker): boolean {
    const { repository, label } = this.#options;
    const { repositories, labels, envelopes } = worker;
    return (
      repositories.includes(repository) &&
      (label === null || labels.includes(label)) &&
      envelopes.includes(ENVELOPE_VERSION) &&
      this.#isAcceptedBy(worker)
    );
  }

  /** Once, until somebody comes. */
  #tellIfNobody(seen: readonly SeenWorker[], accepted: ReadonlyMap<string, string>): void {
    const why =
      this.#workers.length > 0
        ? (this.#whyNoRoom() ?? this.#whoIsMissing())
        : this.#whyNobody(seen, accepted);
    if (why !== null && why !== this.#told) this.#options.tell(why);
    this.#told = why;
  }

  #whyNoRoom(): string | null {
    const staying = this.#workers.filter(({ isDraining }) => !isDraining);
    if (staying.length === 0) return "Every worker that is here is being shut down; start one again.";
    // One that has none can't begin anything: its disk is full.
    return staying.every(({ slots }) => slots === 0)
      ? `No worker has room on its disk (${listed(
          staying.map(({ name }) => name),
          MOST_NAMED,
        )}); make some there.`
      : null;
  }

  #whoIsMissing(): string | null {
    const missing = [...new Set(this.#wanted)].filter(
      (agent) => !this.#workers.some(({ agents }) => agents.includes(agent)),
    );
    return missing.length === 0
      ? null
      : `No worker runs ${listed(missing, MOST_NAMED)}; start one where it is installed, or stop here and go on with another: loop continue --agent ID`;
  }

  #whyNobody(seen: readonly SeenWorker[], accepted: ReadonlyMap<string, string>): string | null {
    const { signer, repository } = this.#options;
    const start = `loop worker --fleet URL --accept ${signer.fingerprint}`;
    const here = seen.filter(({ repositories }) => repositories.includes(repository));
    const stranger = here.find(({ id }) => !accepted.has(id));
    if (stranger !== undefined)
      return `The worker ${stranger.name} waits to be accepted: loop fleet trust ${stranger.name} ${stranger.id}`;
    if (here.some(({ envelopes }) => !envelopes.includes(ENVELOPE_VERSION)))
      return "No worker understands these envelopes.";
    // Each was told of by its name.
    if (here.some((each) => !this.#isAcceptedBy(each))) return null;
    if (here.length > 0) return `No worker has the label ${this.#options.label ?? ""}.`;
    return `No worker is there for this repository; start one in another clone of it: ${start}`;
  }
}

function otherVersionText({ name, version, envelopes }: SeenWorker): string {
  const update = envelopes.some((each) => each > ENVELOPE_VERSION) ? "this one" : "it";
  return `The worker ${oneLine(name, 40)} has loopwright ${oneLine(version, 20)}, which understands envelopes of version ${envelopes.join(", ")}, and this one writes version ${ENVELOPE_VERSION}; update ${update}.`;
}
