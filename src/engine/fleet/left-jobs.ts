import { checkEnvelope } from "./check-envelope.ts";
import type { FetchedJob } from "./fleet-engine.ts";
import type { JobLedger } from "./job-ledger.ts";
import { tidyJob } from "./run-job.ts";
import type { WorkerOptions } from "./worker-options.ts";

/** The jobs that a worker ran before, and whose worktrees it still has. */
export class LeftJobs {
  readonly #options: WorkerOptions;
  readonly #ledger: JobLedger;

  constructor(options: WorkerOptions, ledger: JobLedger) {
    this.#options = options;
    this.#ledger = ledger;
  }

  /** What the last process of this worker was killed over: if its lease still holds, it goes on in the same worktree. */
  async adopt(goOn: (job: FetchedJob) => void): Promise<void> {
    const left = this.#ledger.unfinished();
    if (left.length === 0) return;
    const held = await this.#options.engine.touch(left);
    for (const job of left) {
      if (held.has(job.id)) goOn(job);
      else await this.#bury(job);
    }
  }

  /** What was kept to be resumed, and belongs to a plan that is over. What was resumed is tidied up by whoever runs it. */
  async sweep(isRunning: (key: string) => boolean): Promise<void> {
    for (const job of this.#ledger.kept()) {
      const checked = checkEnvelope(this.#options, job, 0);
      if (typeof checked === "string" || isRunning(checked.envelope.attempt.key)) continue;
      const { key, workflow } = checked.envelope.attempt;
      const executions = await this.#options.engine.executions(workflow);
      if (!executions.some((each) => each.key === key)) await this.#bury(job);
    }
  }

  async #bury(job: FetchedJob): Promise<void> {
    const checked = checkEnvelope(this.#options, job, 0);
    if (typeof checked !== "string") await tidyJob(this.#options, checked).catch(() => undefined);
    this.#ledger.note(job, { isOver: true });
  }
}
