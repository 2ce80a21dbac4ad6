import { checkEnvelope, type Ceilings } from "./check-envelope.ts";
import type { FetchedJob, WorkerRow } from "./fleet-engine.ts";
import { JobLedger } from "./job-ledger.ts";
import { readSigned, shortName } from "./keys.ts";
import {
  ENVELOPE_VERSION,
  NOTHING_WANTED,
  readControl,
  readIntroduction,
  type FleetControl,
  type FleetEnvelope,
  type FleetResult,
} from "./messages.ts";
import { patiently, Pulse } from "./patience.ts";
import { accountOf, queueFor, queueOfWorker } from "./queues.ts";
import { runJob, tidyJob, type JobContext, type JobSignals } from "./run-job.ts";
import { NOTHING_SHOWN } from "../plan/executor.ts";

export interface WorkerOptions extends Omit<JobContext, "waitsUntil" | "limit">, Ceilings {
  readonly slots: number;
  readonly labels: readonly string[];
  readonly account: string;
  readonly version: string;
  /** Ends after one attempt. */
  readonly once: boolean;
  readonly times: WorkerTimes;
  /** Takes nothing new, and lets each attempt end its iteration. */
  readonly soon: AbortSignal;
  readonly now: AbortSignal;
  readonly tell: (news: WorkerNews) => void;
}

export interface WorkerTimes {
  /** How often a lease is renewed. */
  readonly refreshMs: number;
  readonly lookMs: number;
}

export const USUAL_WORKER_TIMES: WorkerTimes = { refreshMs: 15_000, lookMs: 2_000 };

export type WorkerNews =
  | { readonly type: "took"; readonly key: string; readonly agent: string; readonly isResumed: boolean }
  | { readonly type: "refused"; readonly job: string; readonly why: string }
  | { readonly type: "ended"; readonly key: string; readonly outcome: string }
  /** Its lease ran out, and it is made again elsewhere. */
  | { readonly type: "lost"; readonly key: string }
  | { readonly type: "failed"; readonly key: string; readonly why: string }
  | { readonly type: "draining"; readonly running: number };

interface Running {
  readonly job: FetchedJob;
  readonly abort: AbortController;
  readonly soon: AbortController;
  readonly lost: AbortController;
  readonly driver: string;
  control: FleetControl;
}

/** Takes attempts that fit, runs each, and says what came of it, until it is told to stop. */
export async function work(options: WorkerOptions): Promise<void> {
  const worker = new Worker(options);
  await worker.run();
}

class Worker {
  readonly #options: WorkerOptions;
  readonly #ledger: JobLedger;
  readonly #running = new Map<string, Running>();
  readonly #work = new Set<Promise<void>>();
  readonly #context: JobContext;
  /** The drivers that accept this worker's results. */
  #drivers: readonly string[] = [];
  #limits: ReadonlyMap<string, number> = new Map();
  #taken = 0;
  #wake: () => void = () => undefined;
  #hasNews = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { machine, signer, account, engine } = options;
    this.#ledger = new JobLedger(machine.home, shortName(signer.fingerprint));
    this.#context = {
      ...options,
      waitsUntil: (agent) => {
        const until = this.#limits.get(accountOf(agent, account)) ?? 0;
        return until > machine.now() ? until : null;
      },
      limit: async (agent, until) => {
        this.#limits = new Map([...this.#limits, [accountOf(agent, account), until]]);
        await engine.limit(accountOf(agent, account), until).catch(() => undefined);
      },
    };
  }

  get #isDraining(): boolean {
    const { soon, now, once } = this.#options;
    return soon.aborted || now.aborted || (once && this.#taken > 0);
  }

  async run(): Promise<void> {
    const { engine, times, soon, now, tell } = this.#options;
    this.#ledger.prune(this.#options.machine.now());
    const leases = new Pulse(times.refreshMs, async () => this.#patient(async () => this.#renew()));
    const controls = new Pulse(times.lookMs, async () => this.#patient(async () => this.#hear()));
    engine.listen(["control"], () => controls.soon());
    engine.listen(["jobs"], () => this.#stir());
    const drain = (): void => {
      if (now.aborted) for (const { abort } of this.#running.values()) abort.abort();
      for (const each of this.#running.values()) each.soon.abort();
      tell({ type: "draining", running: this.#running.size });
      leases.soon();
      this.#stir();
    };
    soon.addEventListener("abort", drain);
    now.addEventListener("abort", drain);
    await this.#patient(async () => this.#adopt());
    leases.start();
    controls.start();
    while (!(this.#isDraining && this.#running.size === 0)) {
      if (!this.#isDraining && this.#running.size < this.#options.slots)
        await this.#patient(async () => this.#fetch());
      await this.#rest(times.lookMs);
    }
    await Promise.all(this.#work);
    await leases.stop();
    await controls.stop();
    await this.#announce().catch(() => undefined);
  }

  async #patient(ask: () => Promise<void>): Promise<void> {
    const { patience, now } = this.#options;
    await patiently({ ...patience, signal: now }, ask).catch(() => undefined);
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
    const { engine, signer, name, version, slots, agents, labels, account, repositories } = this.#options;
    const row: WorkerRow = {
      ...{ id: signer.fingerprint, name, version, slots, labels, account, agents },
      envelopes: [ENVELOPE_VERSION],
      busy: this.#running.size,
      repositories: [...repositories.keys()],
      isDraining: this.#isDraining,
    };
    await engine.announce(row);
  }

  /** Keeps what is ours; what isn't any more ends at once. */
  async #renew(): Promise<void> {
    const { engine, tell } = this.#options;
    await this.#announce();
    const all = [...this.#running.values()];
    if (all.length === 0) return;
    const held = await engine.touch(all.map(({ job }) => job));
    for (const { job, abort, lost } of all) {
      if (held.has(job.id) || lost.signal.aborted || !this.#running.has(job.id)) continue;
      lost.abort();
      abort.abort();
      tell({ type: "lost", key: keyOf(job) });
    }
  }

  async #hear(): Promise<void> {
    const { engine, drivers, signer } = this.#options;
    this.#limits = await engine.limits();
    const introduced = (await engine.introductions()).flatMap((text) => readSigned(text) ?? []);
    const before = this.#drivers.length;
    this.#drivers = introduced
      .filter(({ by, body }) => drivers.has(by) && readIntroduction(body).includes(signer.fingerprint))
      .map(({ by }) => by);
    if (this.#drivers.length > before) this.#stir();
    const ids = [...this.#running.keys()];
    if (ids.length === 0) return;
    for (const [id, text] of await engine.controls(ids)) {
      const running = this.#running.get(id);
      const message = readSigned(text);
      if (running === undefined || message === null || message.by !== running.driver) continue;
      const control = readControl(message.body, id);
      if (control === null) continue;
      running.control = control;
      if (control.soon) running.soon.abort();
      if (control.abort) running.abort.abort();
    }
  }

  /** What the last process of this worker was killed over: if its lease still holds, it goes on in the same worktree. */
  async #adopt(): Promise<void> {
    const left = this.#ledger.unfinished();
    if (left.length === 0) return;
    const held = await this.#options.engine.touch(left);
    for (const job of left) {
      if (held.has(job.id)) this.#start(job, { isResumed: true });
      else await this.#bury(job);
    }
  }

  async #bury(job: FetchedJob): Promise<void> {
    const checked = checkEnvelope(this.#options, job, 0);
    if (typeof checked !== "string") await tidyJob(this.#options, checked).catch(() => undefined);
    this.#ledger.note(job, { isOver: true });
  }

  async #fetch(): Promise<void> {
    const { engine, slots, once } = this.#options;
    for (const queue of this.#queues()) {
      const free = once ? 1 - this.#taken : slots - this.#running.size;
      if (free <= 0 || this.#isDraining) return;
      for (const job of await engine.fetch(queue, free)) this.#start(job, { isResumed: false });
    }
  }

  /** What only this worker can go on with comes first. */
  #queues(): readonly string[] {
    const { repositories, agents, labels, signer } = this.#options;
    const free = agents.filter((agent) => this.#context.waitsUntil(agent) === null);
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

  #start(job: FetchedJob, how: { readonly isResumed: boolean }): void {
    this.#taken += 1;
    const done: Promise<void> = this.#attend(job, how)
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        this.#options.tell({ type: "failed", key: keyOf(job), why });
      })
      .finally(() => {
        this.#running.delete(job.id);
        this.#work.delete(done);
        this.#stir();
      });
    this.#work.add(done);
  }

  async #attend(job: FetchedJob, { isResumed }: { readonly isResumed: boolean }): Promise<void> {
    const { machine, tell } = this.#options;
    const checked = checkEnvelope(this.#options, job, machine.now());
    const why =
      typeof checked === "string"
        ? checked
        : !isResumed && this.#ledger.has(job.id)
          ? "It was taken before, so somebody repeats it."
          : await isDriversOwn(this.#options, checked);
    if (why !== null || typeof checked === "string") return this.#refuse(job, why ?? "");
    this.#ledger.note(job, { isOver: false });
    const running: Running = {
      job,
      abort: new AbortController(),
      soon: new AbortController(),
      lost: new AbortController(),
      driver: checked.driver,
      control: NOTHING_WANTED,
    };
    this.#running.set(job.id, running);
    const { key, agent } = checked.envelope.attempt;
    tell({ type: "took", key, agent, isResumed });
    // What was wanted of it before it was taken.
    await this.#patient(async () => this.#hear());
    const result = await this.#made(checked, running);
    if (result !== null && (await this.#hand(job, result, running.lost.signal))) {
      tell({ type: "ended", key, outcome: result.outcome.type });
      if (!isResumable(result)) await tidyJob(this.#options, checked);
    }
    this.#ledger.note(job, { isOver: true });
  }

  async #made(
    checked: { readonly envelope: FleetEnvelope; readonly root: string },
    running: Running,
  ): Promise<FleetResult | null> {
    const signals: JobSignals = {
      signal: running.abort.signal,
      soon: running.soon.signal,
      lost: running.lost.signal,
      control: () => running.control,
    };
    return runJob(this.#context, checked, signals);
  }

  #without(job: string, outcome: FleetResult["outcome"]): FleetResult {
    const { usage } = NOTHING_SHOWN;
    return {
      ...{ purpose: "result", version: ENVELOPE_VERSION, job, worker: this.#options.name, outcome },
      ...{ usage, evidence: [], learnings: [], written: 0 },
      commits: { result: null, all: null, unfinished: null },
    };
  }

  async #refuse(job: FetchedJob, why: string): Promise<void> {
    const { tell, name } = this.#options;
    tell({ type: "refused", job: job.id, why });
    const detail = `the worker ${name} refused it: ${why}`;
    const refusal = this.#without(job.id, { type: "paused", reason: "blocked", detail });
    await this.#hand(job, refusal, new AbortController().signal);
  }

  /** False: its lease was lost, and the result counts for nothing. */
  async #hand(job: FetchedJob, result: FleetResult, lost: AbortSignal): Promise<boolean> {
    const { engine, signer, patience } = this.#options;
    const text = signer.sign(result);
    try {
      return await patiently({ ...patience, signal: lost }, async () => engine.complete(job, text));
    } catch {
      return false;
    }
  }
}

function isResumable({ outcome: { type } }: FleetResult): boolean {
  return type === "stopped" || type === "paused" || type === "unapproved";
}

/** In the driver's own clone the attempt's records would meet its mirror. */
async function isDriversOwn(
  { machine }: Pick<WorkerOptions, "machine">,
  { envelope, root }: { readonly envelope: FleetEnvelope; readonly root: string },
): Promise<string | null> {
  const { projectAt } = await import("../../storage/home/project.ts");
  const ids = await machine.journals(projectAt(root)).list();
  return ids.includes(envelope.attempt.workflow)
    ? `${root} is the clone that the plan is driven from; start the worker in another clone.`
    : null;
}

/** For people; what isn't a key is shown by its job. */
function keyOf({ id, envelope }: FetchedJob): string {
  const body = readSigned(envelope)?.body;
  const attempt = typeof body === "object" && body !== null && "attempt" in body ? body.attempt : null;
  const key = typeof attempt === "object" && attempt !== null && "key" in attempt ? attempt.key : null;
  return typeof key === "string" ? key : id;
}
