import { JobAttendant } from "./attend-job.ts";
import { nameOfJob } from "./check-envelope.ts";
import type { FetchedJob, WorkerRow } from "./fleet-engine.ts";
import { JobLedger } from "./job-ledger.ts";
import { shortName } from "./keys.ts";
import { LeftJobs } from "./left-jobs.ts";
import { ENVELOPE_VERSION } from "./envelopes.ts";
import { OpenQueues } from "./open-queues.ts";
import { patiently, Pulse } from "./patience.ts";
import { RunningJobs } from "./running-jobs.ts";
import type { WorkerOptions } from "./worker-options.ts";
import { fullAt } from "./worker-room.ts";

/** Takes attempts that fit, runs each, and says what came of it, until it is told to stop. */
export async function work(options: WorkerOptions): Promise<void> {
  const worker = new Worker(options);
  await worker.run();
}

class Worker {
  readonly #options: WorkerOptions;
  readonly #ledger: JobLedger;
  readonly #left: LeftJobs;
  readonly #running: RunningJobs;
  readonly #queues: OpenQueues;
  readonly #attendant: JobAttendant;
  readonly #work = new Set<Promise<void>>();
  #taken = 0;
  #wake: () => void = () => undefined;
  #hasNews = false;
  #isFull = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { machine, signer } = options;
    this.#ledger = new JobLedger(machine.home, shortName(signer.fingerprint));
    this.#left = new LeftJobs(options, this.#ledger);
    this.#running = new RunningJobs(options);
    this.#queues = new OpenQueues(options);
    this.#attendant = new JobAttendant(options, {
      ledger: this.#ledger,
      running: this.#running,
      context: {
        ...options,
        waitsUntil: (agent) => this.#queues.waitsUntil(agent),
        limit: async (agent, until) => this.#queues.limit(agent, until),
      },
      hear: async () => this.#patient(async () => this.#hear()),
    });
  }

  get #isDraining(): boolean {
    const { soon, now, once } = this.#options;
    return soon.aborted || now.aborted || (once && this.#taken > 0);
  }

  async run(): Promise<void> {
    const { engine, times, soon, now, tell } = this.#options;
    this.#ledger.prune(this.#options.machine.now());
    const leases = new Pulse(times.refreshMs, async () => {
      await this.#patient(async () => {
        await this.#announce();
        await this.#running.renew();
      });
      await this.#patient(async () => this.#sweep());
    });
    const controls = new Pulse(times.lookMs, async () => this.#patient(async () => this.#hear()));
    engine.listen(["control"], () => controls.soon());
    engine.listen(["jobs"], () => this.#stir());
    const drain = (): void => {
      this.#running.drain({ isNow: now.aborted });
      tell({ type: "draining", running: this.#running.size });
      leases.soon();
      this.#stir();
    };
    soon.addEventListener("abort", drain);
    now.addEventListener("abort", drain);
    await this.#patient(async () => this.#left.adopt((job) => this.#start(job, { isResumed: true })));
    leases.start();
    controls.start();
    while (!(this.#isDraining && this.#running.size === 0)) {
      if (!this.#isDraining && this.#running.size < this.#options.slots && this.#hasRoom())
        await this.#patient(async () => this.#fetch());
      await this.#rest(times.lookMs);
    }
    await Promise.all(this.#work);
    await leases.stop();
    await controls.stop();
    await this.#sweep().catch(() => undefined);
    await this.#announce().catch(() => undefined);
  }

  async #patient(ask: () => Promise<void>): Promise<void> {
    const { patience, now } = this.#options;
    await patiently({ ...patience, signal: now }, ask).catch(() => undefined);
  }

  #hasRoom(): boolean {
    const { machine, tell } = this.#options;
    const freeBytes = fullAt(machine);
    const isFull = freeBytes !== null;
    if (isFull !== this.#isFull) tell({ type: "full", freeBytes });
    this.#isFull = isFull;
    return !isFull;
  }

  async #sweep(): Promise<void> {
    await this.#left.sweep((key) => this.#running.isAt(key));
  }

  #stir(): void {
    this.#hasNews = true;
    this.#wake();
  }

  async #rest(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#hasNews ? 0 : ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#hasNews = false;
  }

  async #announce(): Promise<void> {
    const { engine, signer, name, version, slots, agents, labels, account, repositories, drivers } =
      this.#options;
    const row: WorkerRow = {
      ...{ id: signer.fingerprint, name, version, labels, account, agents },
      slots: this.#isFull ? 0 : slots,
      envelopes: [ENVELOPE_VERSION],
      busy: this.#running.size,
      repositories: [...repositories.keys()],
      drivers: [...drivers],
      isDraining: this.#isDraining,
    };
    await engine.announce(row);
  }

  async #hear(): Promise<void> {
    if (await this.#queues.look()) this.#stir();
    await this.#running.hear();
  }

  async #fetch(): Promise<void> {
    const { engine, slots, once } = this.#options;
    for (const queue of this.#queues.names()) {
      const free = once ? 1 - this.#taken : slots - this.#running.size;
      if (free <= 0 || this.#isDraining) return;
      for (const job of await engine.fetch(queue, free)) this.#start(job, { isResumed: false });
    }
  }

  #start(job: FetchedJob, how: { readonly isResumed: boolean }): void {
    this.#taken += 1;
    const done: Promise<void> = this.#attendant
      .attend(job, how)
      .catch(async (error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        this.#options.tell({ type: "failed", key: nameOfJob(job), why });
        await this.#attendant.giveUp(job, why);
      })
      .finally(() => {
        this.#running.remove(job.id);
        this.#work.delete(done);
        this.#stir();
      });
    this.#work.add(done);
  }
}
