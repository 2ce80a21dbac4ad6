import { nameOfJob } from "./check-envelope.ts";
import type { FetchedJob } from "./fleet-engine.ts";
import { readSigned } from "./keys.ts";
import { NOTHING_WANTED, readControl, type FleetControl } from "./messages.ts";
import type { WorkerOptions } from "./worker-options.ts";

/** What its worker, its driver and its lease want of a job while it runs. */
export interface RunningJob {
  readonly job: FetchedJob;
  readonly abort: AbortController;
  readonly soon: AbortController;
  readonly lost: AbortController;
  readonly driver: string;
  control: FleetControl;
  /** What it came to is known, and being handed in: whether that is too late, the rows say. */
  isOver: boolean;
}

/** The jobs that a worker runs now: it renews their leases, hears what their drivers want, and ends them. */
export class RunningJobs {
  readonly #options: Pick<WorkerOptions, "engine" | "tell">;
  readonly #jobs = new Map<string, RunningJob>();

  constructor(options: Pick<WorkerOptions, "engine" | "tell">) {
    this.#options = options;
  }

  get size(): number {
    return this.#jobs.size;
  }

  /** Whether it is an execution of this attempt that runs. */
  isAt(key: string): boolean {
    return [...this.#jobs.values()].some(({ job }) => nameOfJob(job) === key);
  }

  find(id: string): RunningJob | null {
    return this.#jobs.get(id) ?? null;
  }

  add(job: FetchedJob, driver: string): RunningJob {
    const running: RunningJob = {
      job,
      abort: new AbortController(),
      soon: new AbortController(),
      lost: new AbortController(),
      driver,
      control: NOTHING_WANTED,
      isOver: false,
    };
    this.#jobs.set(job.id, running);
    return running;
  }

  remove(id: string): void {
    this.#jobs.delete(id);
  }

  /** Each ends its iteration first, unless it has to be now. */
  drain({ isNow }: { readonly isNow: boolean }): void {
    if (isNow) for (const { abort } of this.#jobs.values()) abort.abort();
    for (const { soon } of this.#jobs.values()) soon.abort();
  }

  /** Keeps what is ours; what isn't any more ends at once. */
  async renew(): Promise<void> {
    const { engine, tell } = this.#options;
    const all = [...this.#jobs.values()];
    if (all.length === 0) return;
    const held = await engine.touch(all.map(({ job }) => job));
    for (const { job, abort, lost, isOver } of all) {
      if (held.has(job.id) || lost.signal.aborted || isOver || !this.#jobs.has(job.id)) continue;
      lost.abort();
      abort.abort();
      tell({ type: "lost", key: nameOfJob(job) });
    }
  }

  /** What their drivers want of them. */
  async hear(): Promise<void> {
    const ids = [...this.#jobs.keys()];
    if (ids.length === 0) return;
    for (const [id, text] of await this.#options.engine.controls(ids)) {
      const running = this.#jobs.get(id);
      const message = readSigned(text);
      if (running === undefined || message === null || message.by !== running.driver) continue;
      const control = readControl(message.body, id);
      if (control === null) continue;
      running.control = control;
      if (control.soon) running.soon.abort();
      if (control.abort) running.abort.abort();
    }
  }
}
